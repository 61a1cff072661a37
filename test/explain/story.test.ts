import { behavior, defineSystem, search, send } from 'culprit';
import { storyLines } from 'culprit/report';
import { changesBetween, toPortable, type Change, type EventLine } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { found } from '../found.ts';
import { play } from '../transcript.ts';

/** Keys may be anything. */
const keeper = behavior<Record<string, number>, { type: 'keep'; key: string }>({
  start: () => ({ 'a/b': 0 }),
  receive(state, { key }) {
    state[key] = (state[key] ?? 0) + 1;
  },
});

test('keys are printed unchanged', async () => {
  const story = await play(
    defineSystem({ processes: { keeper } }),
    `start keeper
     send keeper {"type":"keep","key":"a/b"}
     deliver environment keeper
     send keeper {"type":"keep","key":"c~d"}
     deliver environment keeper`,
  );
  expect(story).toContain('a/b: 0 → 1');
  expect(story).toContain('c~d: 1 (new)');
});

test('long lines continue below, broken between the items of a list', async () => {
  const { events } = await found(
    defineSystem({
      processes: { keeper },
      workload: [send('keeper', { type: 'keep', key: 'first' }), send('keeper', { type: 'keep', key: 'second' })],
      invariants: { few: (world) => world.length < 5 },
    }),
    { strategy: 'random', seed: 3 },
  );
  const wide = storyLines(events);
  expect(storyLines(events, { width: Math.max(...wide.map(({ length }) => length)) })).toEqual(wide);
  expect(`\n${storyLines(events, { width: 50 }).join('\n')}\n`).toMatchInlineSnapshot(`
    "
      1  keeper       starts               a/b: 0
      2  environment  sends keep (key first) to keeper
      3  environment  sends keep (key second) to
                      keeper
      4  keeper       gets keep (key second) from
                      environment
                        second: 1 (new)
      5  keeper       gets keep (key first) from
                      environment
                        first: 1 (new)
    "
  `);
  expect(storyLines(events, { linesMax: 2 })).toEqual(['  … 3 earlier events', ...storyLines(events.slice(-2))]);
});

test('lines that programs print are quoted, the first three after an event', () => {
  const printed = (process: string, content: string): object => ({ process, what: 'stderr', content, atMs: 5 });
  const line = {
    event: 1,
    kind: 'deliver',
    process: 'c1',
    from: 's1',
    message: { type: 'hello' },
    observed: [
      printed('c1', 'one'),
      { process: 'c1', what: 'closes connection', content: { to: 's1' }, atMs: 6 },
      printed('c2', 'x'.repeat(130)),
      ...['two', 'three', 'four'].map((text) => printed('c1', text)),
    ],
  } as unknown as EventLine;
  expect(storyLines([line]).map((text) => text.trimEnd())).toEqual([
    `  1  c1  gets hello from s1; prints "one"; observed closes connection {to: s1} at 6 ms; c2 prints "${'x'.repeat(119)}…"; prints "two"; prints 2 lines more`,
  ]);
});

describe('of a long execution', () => {
  const counter = behavior<{ n: number }, number>({
    start(ctx) {
      ctx.send('counter', 1);
      return { n: 0 };
    },
    receive(state, n, ctx) {
      state.n = n;
      ctx.send('counter', n + 1);
    },
  });
  const long = defineSystem({ processes: { counter }, invariants: { short: (world) => world.length < 60 } });

  test.each([
    [undefined, 41, '  … 20 earlier events'],
    [59, 60, '  … 1 earlier events'],
    [60, 60, '   1  counter  starts                n: 0'],
    [Number.POSITIVE_INFINITY, 60, '   1  counter  starts                n: 0'],
    [1, 2, '  … 59 earlier events'],
    [0, 0, undefined],
  ])('%s lines show its end, unless they are enough for all of it', async (linesMax, count, first) => {
    const [finding] = (await search(long)).findings;
    const lines = storyLines(finding?.trace.events ?? [], linesMax === undefined ? {} : { linesMax });
    expect([lines.length, lines[0]]).toEqual([count, first]);
    expect(lines.slice(1).at(-1)).toBe(count === 0 ? undefined : '  60  counter  gets 59 from counter  n: 58 → 59');
  });
});

test('an object that appears at a second place has not changed at the first', () => {
  const job = { id: 1 };
  const [before, after, gone] = [{ jobs: [job] }, { current: job, jobs: [job] }, { jobs: [job] }].map((state) =>
    toPortable(state, 'it'),
  );
  const line = (changes: Change[]): EventLine => ({
    event: 1,
    kind: 'start',
    process: 'a',
    cause: 0,
    id: '0000000000000000',
    changes,
  });
  const story = (from: unknown, to: unknown): string => storyLines([line(changesBetween(from, to))]).join();
  expect(story(before, after)).toContain('current: {id: 1} (new)');
  expect(story(before, after)).not.toContain('jobs');
  expect(story(after, gone)).not.toContain('jobs');
});
