import { loadavg } from 'node:os';
import { writeFileSync } from 'node:fs';
const { study } = await import('./cases/networks/studies.ts');
const gates = await import('./cases/networks/gates.ts');
const { writeTrace } = await import('culprit/trace');
const [number, gate, jobs = '2', executions = '1', set = '{}'] = process.argv.slice(2);
const one = study(Number(number));
const settings = { ...(process.env.EVENTS ? { eventsMax: Number(process.env.EVENTS) } : {}), jobs: Number(jobs), executions: Number(executions), set: JSON.parse(set) };
const began = performance.now();
const note = (what) => console.log(`${number} ${gate}`, JSON.stringify(what), `${((performance.now() - began) / 1000).toFixed(0)} s, load ${loadavg()[0].toFixed(1)}`);
if (gate === 'minimized') {
  const trace = await gates.recorded(one, { ...settings, seed: Number(process.env.SEED ?? 0) });
  writeFileSync(`/tmp/cc-${number}.trace`, writeTrace(trace));
  note({ recorded: gates.inputsOf(trace).length, events: trace.events.length });
  const { minimize } = await import('culprit');
  const { moduleOf, systemOf } = await import('./cases/networks/studies.ts');
  let last = 0;
  const m = await minimize(await systemOf(one), trace, { jobs: Number(jobs), module: moduleOf(one), onBest: (t) => writeFileSync(`/tmp/cc-${number}.best.trace`, writeTrace(t)), onProgress: (p) => { if (performance.now() - last > 20000) { last = performance.now(); console.error(number, p.pass, 'externals', p.externals, 'schedules', p.schedules, p.seconds.toFixed(0), 's'); } } });
  writeFileSync(`/tmp/cc-${number}.min.trace`, writeTrace(m.trace));
  const { trace: t, stages, others, ...rest } = m;
  note({ left: gates.inputsOf(t).length, ...rest, stages: stages.map((s) => `${s.pass} ${s.externals} ${s.schedules}`) });
} else {
  const r = await gates[gate](one, settings);
  for (const f of r.findings) writeFileSync(`/tmp/cc-${number}.${gate}.trace`, writeTrace(f.trace)); note({ executions: r.executions, unknown: r.unknown, findings: r.findings.map(({ trace, seed }) => ({ seed, inputs: gates.inputsOf(trace).length, verdict: trace.verdict.message })) });
}
