import { readFileSync } from 'node:fs';
import { explainWhy, recheck, type System } from 'culprit';
import { storyLines } from 'culprit/report';
import { readTrace, type Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
import broadcast from './broadcast.system.ts';
import counter from './g-counter.system.ts';
import store from './lin-kv.system.ts';

const page = readFileSync(new URL('README.md', import.meta.url), 'utf8');

function stored(name: string): Trace {
  const url = new URL(`best/${name}.trace`, import.meta.url);
  return readTrace(readFileSync(url, 'utf8'), url.pathname);
}

/** The inputs and faults of an execution, in their order. */
const inputsOf = ({ events }: Trace): string[] =>
  events.flatMap((line) => {
    if (line.kind === 'send') return [`${line.to} ${(line.message as { type: string }).type}`];
    return ['cut', 'heal', 'crash', 'restart'].includes(line.kind) ? [line.kind] : [];
  });

const broadcastInputs = ['cut', 'c1 broadcast', 'heal', 'c0 final'];

const all: readonly (readonly [name: string, system: System, inputs: readonly string[]])[] = [
  ['broadcast-python', broadcast, broadcastInputs],
  ['broadcast-javascript', broadcast, broadcastInputs],
  ['g-counter', counter, ['c1 add', 'crash', 'restart', 'c1 add', 'c0 final']],
  ['lin-kv', store, ['c1 write', 'c2 write', 'c1 read']],
];

test.each(all)('the stored execution of %s reproduces, and not without its faults', async (name, system, inputs) => {
  const trace = stored(name);
  const hasFaults = inputs.some((input) => input === 'cut' || input === 'crash');
  const { violated, ...answer } = await recheck(system, trace, { replays: 2, jobs: 4 }).then((found) => ({
    ...found,
    violated: 'reproduced' in found ? found.reproduced : 0,
  }));
  expect(answer).toMatchObject({ answer: 'sampled', ...(hasFaults ? { control: { reproduced: 0 } } : {}) });
  expect(violated).toBeGreaterThan(0);
});

test.each(all)('the violation of %s may depend on all of its inputs', async (name, system, inputs) => {
  const { answer } = await explainWhy(system, stored(name));
  expect(answer).toMatch(`it may depend on ${inputs.length} of ${inputs.length} externals`);
});

test.each(all)('the page shows the stored execution of %s, and its inputs are few', (name, _system, inputs) => {
  const trace = stored(name);
  expect(inputsOf(trace)).toEqual(inputs);
  expect(page).toContain(storyLines(trace.events, { linesMax: 100 }).join('\n'));
});
