import { writeFileSync } from 'node:fs';
import { writeTrace } from 'culprit/trace';
import { search } from 'culprit';
import { inputsOf } from './gates.ts';
import { study, systemOf, moduleOf } from './studies.ts';
const [number, from, to, out, setText='{}'] = process.argv.slice(2);
const one = study(Number(number));
const system = await systemOf(one);
for (let seed = Number(from); seed < Number(to); seed++) {
  const t = Date.now();
  const { findings, unknown } = await search(system, { set: JSON.parse(setText), executions: 1, seed, jobs: 1, control: false, eventsMax: 1e6, module: moduleOf(one) });
  const n = findings[0] ? inputsOf(findings[0].trace).length : -1;
  const v = findings[0]?.trace.verdict as { message?: string; oracle?: string } | undefined;
  console.log(`seed ${seed}: inputs ${n} events ${findings[0]?.trace.events.length} ${((Date.now()-t)/1000).toFixed(1)} s unknown ${unknown} ${v?.oracle ?? ''} ${v?.message?.slice(0,90) ?? ''}`);
  if (findings[0]) writeFileSync(`${out}/s${seed}-${n}.trace`, writeTrace(findings[0].trace));
  if (n >= one.published.inputs) break;
}
