import { describe, expect, test } from 'vitest';
import { behavior, defineSystem, replay } from 'culprit';
import { diffLines, type Role } from 'culprit/report';
import type { EventLine, Trace } from 'culprit/trace';
import lock from '../../cases/lock/lock.system.ts';
import { found } from '../found.ts';

const left = await found(lock);
const right = await found(lock, { seed: 40 });

describe('two executions of the lock', () => {
  test('one below the other', () => {
    expect(`\n${diffLines(left, right, { width: 90 }).join('\n')}\n`).toMatchInlineSnapshot(`
      "
      same      4 events, to 4 client-3 starts
      diverge   on the left, 5 lock gets acquire from client-2; on the right, 5 lock gets
                acquire from client-3

        >    5  lock      gets acquire from client-3
                            holder: null → client-3; also on the left, as 10
        >    6  client-2  timer enough fires          phase: waiting → done
        ≠  5|7  lock      gets acquire from client-2
                            left: holder: null → client-2; right: nothing
        <    6  client-2  gets granted from lock      phase: waiting → holding
        <    7  client-1  timer enough fires          phase: waiting → done
        >    8  lock      gets release from client-2  holder: client-3 → null
        >    9  client-3  gets granted from lock      phase: waiting → holding
        ≠ 8|10  lock      gets acquire from client-1
                            left: nothing; right: holder: null → client-1
        <    9  lock      gets release from client-1  holder: client-2 → null
        <   10  lock      gets acquire from client-3
                            holder: null → client-3; also on the right, as 5
        <   11  client-3  gets granted from lock      phase: waiting → holding
        >   11  client-1  gets granted from lock      phase: waiting → holding

      left      violated  mutualExclusion: client-2 and client-3 both hold the lock
      right     violated  mutualExclusion: client-1 and client-3 both hold the lock
      "
    `);
  });

  test('side by side, if there is room', () => {
    expect(`\n${diffLines(left, right, { width: 150 }).join('\n')}\n`).toMatchInlineSnapshot(`
      "
      same      4 events, to 4 client-3 starts
      diverge   on the left, 5 lock gets acquire from client-2; on the right, 5 lock gets acquire from client-3

                                                                                 >  5  lock      gets acquire from client-3
                                                                                                   holder: null → client-3; also on the left, as 10
                                                                                 >  6  client-2  timer enough fires          phase: waiting → done
         5  lock      gets acquire from client-2  holder: null → client-2        ≠  7  lock      gets acquire from client-2
         6  client-2  gets granted from lock      phase: waiting → holding       <
         7  client-1  timer enough fires          phase: waiting → done          <
                                                                                 >  8  lock      gets release from client-2  holder: client-3 → null
                                                                                 >  9  client-3  gets granted from lock      phase: waiting → holding
         8  lock      gets acquire from client-1                                 ≠ 10  lock      gets acquire from client-1  holder: null → client-1
         9  lock      gets release from client-1  holder: client-2 → null        <
        10  lock      gets acquire from client-3                                 <
                        holder: null → client-3; also on the right, as 5
        11  client-3  gets granted from lock      phase: waiting → holding       <
                                                                                 > 11  client-1  gets granted from lock      phase: waiting → holding

      left      violated  mutualExclusion: client-2 and client-3 both hold the lock
      right     violated  mutualExclusion: client-1 and client-3 both hold the lock
      "
    `);
  });

  test.each([60, 80, 119, 120, 200])('fit into %d columns', (width) => {
    expect(diffLines(left, right, { width }).filter(({ length }) => length > width)).toEqual([]);
  });

  test('keep their layout in color', () => {
    const paint = (text: string, role: Role): string => `{${typeof role === 'object' ? 'who' : role}}${text}{/}`;
    for (const width of [80, 150]) {
      const painted = diffLines(left, right, { paint, width });
      expect(painted.map((line) => line.replaceAll(/\{[a-z/]*\}/g, ''))).toEqual(diffLines(left, right, { width }));
      expect(painted.at(-1)).toMatch(/^right {5}\{bad\}violated\{\/\} /);
    }
  });

  test('no more rows than requested', () => {
    expect(diffLines(left, right, { rowsMax: 2 }).slice(3, -3)).toEqual([
      '  > 5  lock      gets acquire from client-3  holder: null → client-3; also on the left, as 10',
      '  > 6  client-2  timer enough fires          phase: waiting → done',
      '  … and 10 more rows',
    ]);
  });
});

test('the same execution', () => {
  expect(diffLines(left, left)).toEqual([
    'same      all 11 events',
    '',
    'left      violated  mutualExclusion: client-2 and client-3 both hold the lock',
    'right     violated  mutualExclusion: client-2 and client-3 both hold the lock',
  ]);
});

test('the same event with a different effect', () => {
  const events = left.events.map((line): EventLine =>
    line.event === 7 ? { ...line, state: '0'.repeat(16), changes: [['/phase', 'waiting', 'tired']] } : line,
  );
  expect(diffLines(left, { ...left, events }).slice(0, 6)).toEqual([
    'same      6 events, to 6 client-2 gets granted from lock',
    'diverge   at 7 client-1 timer enough fires: it has a different effect on the right',
    '',
    '  ≠ 7|7  client-1  timer enough fires  left: phase: waiting → done; right: phase: waiting → tired',
    '  = 4 events the same, to 11 client-3 gets granted from lock',
    '',
  ]);
});

test('the same event in another state, and one with other contents', () => {
  const events = left.events.map((line): EventLine => {
    if (line.event === 7) return { ...line, state: '0'.repeat(16) };
    return line.event === 6 && line.kind === 'deliver' ? { ...line, message: { type: 'denied' } } : line;
  });
  expect(diffLines(left, { ...left, events }).slice(3, 6)).toEqual([
    '  <   6  client-2  gets granted from lock  phase: waiting → holding',
    '  >   6  client-2  gets denied from lock   phase: waiting → holding',
    '  ≠ 7|7  client-1  timer enough fires      phase: waiting → done; in a different state',
  ]);
});

test('one that is longer, and one that has nothing in common', () => {
  const begun = { ...left, events: left.events.slice(0, 10) };
  expect(diffLines(begun, left)[1]).toBe(
    'diverge   on the left, nothing more; on the right, 11 client-3 gets granted from lock',
  );
  expect(diffLines({ ...left, events: [] }, left)[0]).toBe('same      nothing');
});

describe('executions that differ in the order of independent events', async () => {
  const counter = behavior<{ n: number }, number>({
    start: () => ({ n: 0 }),
    receive(state, message) {
      state.n += message;
    },
  });
  // Both get their messages at the start, so that only two deliveries remain.
  const teller = behavior<object, number>({
    start(ctx) {
      ctx.send('a', 1);
      ctx.send('b', 2);
      return {};
    },
    receive() {},
  });
  const system = defineSystem({
    processes: { a: counter, b: counter, teller },
    invariants: { few: (world) => world.up(counter).filter(({ state }) => state.n > 0).length < 2 || 'both' },
  });
  const one = await found(system);

  test('are called equivalent', async () => {
    const order = [1, 2, 3, 5, 4].map((number) => one.events[number - 1] as EventLine);
    const schedule = order.map((line, at): EventLine => ({ ...line, event: at + 1 }));
    const other: Trace = { ...one, events: schedule };
    expect(diffLines(one, other).slice(0, 3)).toEqual([
      'same      3 events, to 3 teller starts',
      expect.stringMatching(/^diverge {3}on the left, 4 . gets . from teller; on the right, 4 . gets . from teller$/),
      'order     the same events happen on both sides, 1 of them in a different position: only independent events are reordered',
    ]);
    expect(diffLines(one, other).join('\n')).toMatch(/ {2}< 4 .*; also on the right, as 5\n/);
    expect(diffLines(one, { ...other, verdict: { ...one.verdict, name: '0'.repeat(16) } })[2]).toBe(
      'order     the same events happen on both sides, 1 of them in a different position',
    );
    expect((await replay(system, other)).verdict).toEqual(one.verdict);
  });
});
