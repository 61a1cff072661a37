import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { minimize } from './minimize.ts';
import { MinTrace } from './min-trace.ts';
import { search } from './search.ts';
import { behaviour, defineSystem } from './targets/actors/system.ts';
import { writeTrace } from './trace/file.ts';
import type { Trace } from './trace/format.ts';

const one = behaviour({ start: () => ({}), receive() {} });
const system = defineSystem({ processes: { a: one, b: one }, invariants: { alone: ({ length }) => length < 2 } });

let original: Trace;
let best: Trace;

beforeAll(async () => {
  original = ((await search(system)).findings[0] as { trace: Trace }).trace;
  best = (await minimize(system, original)).trace;
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'culprit-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** The same, in a file that is too large to be kept as it is. */
const large = (trace: Trace): Trace => {
  const [first, ...rest] = trace.events;
  return { ...trace, events: [{ ...first, log: ['x'.repeat(1_000_000)] } as Trace['events'][number], ...rest] };
};

test.each([
  ['x.trace', 'x.min.trace'],
  ['x.trace.gz', 'x.min.trace'],
  ['x', 'x.min.trace'],
  // Not minimised, whatever it is called.
  ['x.min.trace', 'x.min.min.trace'],
])('what %s is made into is kept as %s', (name, expected) => {
  const directory = folder();
  expect(new MinTrace(original, join(directory, name)).save(best)).toBe(join(directory, expected));
});

test('what was minimised before stays where it is, and goes on', async () => {
  const path = join(folder(), 'x.min.trace');
  const file = new MinTrace(best, path);
  expect(file.save(best)).toBe(path);
  expect(await file.load(system)).toEqual(best);
});

test('there is one file, also when it gets small enough to be read', () => {
  const directory = folder();
  const file = new MinTrace(original, join(directory, 'x.trace'));
  file.save(large(best));
  expect(readdirSync(directory)).toEqual(['x.min.trace.gz']);
  file.save(best);
  expect(readdirSync(directory)).toEqual(['x.min.trace']);
});

test('of two files, left behind by a process that was killed, the smaller one counts', async () => {
  const directory = folder();
  const file = new MinTrace(original, join(directory, 'x.trace'));
  file.save(best);
  const { minimized } = best.header;
  if (minimized === undefined) throw new Error('it says nothing of what it was made from');
  const older = { ...best, header: { ...best.header, minimized: { ...minimized, schedules: 1 } } };
  writeFileSync(join(directory, 'x.min.trace.gz'), gzipSync(writeTrace(older)));
  expect((await file.load(system))?.header.minimized?.schedules).toBe(minimized.schedules);
});

test('nothing there is nothing to go on from', async () => {
  expect(await new MinTrace(original, join(folder(), 'x.trace')).load(system)).toBeUndefined();
});
