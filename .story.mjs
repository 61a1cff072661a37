import { readFileSync } from 'node:fs';
const { storyLines } = await import('culprit/report');
const { readTrace } = await import('culprit/trace');
const t = readTrace(readFileSync(process.argv[2], 'utf8'), process.argv[2]);
for (const l of storyLines(t.events, { linesMax: 100000 })) if (process.argv[3] || !/LLDP/.test(l)) console.log(l.slice(0, 230));
console.log(JSON.stringify(t.verdict).slice(0, 300));
