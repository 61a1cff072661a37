import { fileURLToPath } from 'node:url';
import { problemsIn } from './rules.ts';
import { readTree } from './tree.ts';

const problems = problemsIn(readTree(fileURLToPath(new URL('../..', import.meta.url))));
for (const { path, line, message } of problems) console.log(`${path}:${line}  ${message}`);
console.log(problems.length === 0 ? 'tidy' : `${problems.length} to tidy`);
process.exitCode = problems.length === 0 ? 0 : 1;
