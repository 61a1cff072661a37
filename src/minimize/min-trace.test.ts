import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { minimize } from './minimize.ts';
import { minimizeSaved } from './minimize-saved.ts';
import { MinTrace } from './min-trace.ts';
import { search } from 'culprit';
import { behavior, defineSystem } from '../system/define-system.ts';
import { writeTrace } from '../trace/file.ts';
import type { Trace } from '../trace/format.ts';

const one = behavior({ start: () => ({}), receive() {} });
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

/** Every execution differs, except for the violation. */
const noisy = defineSystem({
  processes: { a: behavior({ start: () => ({ noise: Math.random() }), receive() {} }), b: one },
  invariants: { alone: ({ length }) => length < 2 },
});

/** The same, in a file that is too large to be kept as it is. */
const large = (trace: Trace): Trace => {
  const [first, ...rest] = trace.events;
  return { ...trace, events: [{ ...first, log: ['x'.repeat(1_000_000)] } as Trace['events'][number], ...rest] };
};

test.each([
  ['x.trace', 'x.min.trace'],
  ['x.trace.gz', 'x.min.trace'],
  ['x', 'x.min.trace'],
  // Not minimized, although its name says so.
  ['x.min.trace', 'x.min.min.trace'],
])('what %s is made into is kept as %s', (name, expected) => {
  const directory = folder();
  expect(new MinTrace(original, join(directory, name)).save(best)).toBe(join(directory, expected));
});

test('a minimized trace keeps its file, and is resumed', async () => {
  const path = join(folder(), 'x.min.trace');
  const file = new MinTrace(best, path);
  expect(file.save(best)).toBe(path);
  expect(await file.load(system)).toEqual({ trace: best, isExact: true });
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
  expect((await file.load(system))?.trace.header.minimized?.schedules).toBe(minimized.schedules);
});

test('nothing there is nothing to go on from', async () => {
  expect(await new MinTrace(original, join(folder(), 'x.trace')).load(system)).toBeUndefined();
});

test('what is left to chance is gone on with, and not taken for known', async () => {
  const path = join(folder(), 'x.trace');
  const found = (await search(noisy, { nondeterministic: true })).findings[0] as { trace: Trace };
  const first = await minimizeSaved(noisy, { trace: found.trace, path }, {});
  expect([first.certificate, first.trace.events.length]).toEqual(['1-minimal up to the stated error', 2]);
  expect(await new MinTrace(found.trace, path).load(noisy)).toMatchObject({ isExact: false });
  const known: boolean[] = [];
  const onBefore = (_before: Trace, isKnown: boolean): void => void known.push(isKnown);
  const again = await minimizeSaved(noisy, { trace: found.trace, path }, { onBefore });
  expect(known).toEqual([false]);
  expect(again.reproduction).toEqual(first.reproduction);
  expect(again.reproduction.replays).toBeGreaterThan(1);
  expect(again.certificate).toBe(first.certificate);
});
