import { describe, expect, test } from 'vitest';
import { act, defineSystem, send, until, type System } from 'culprit';
import { complaints, counting, fine } from './said.ts';

describe('a doctor sees that a callback', () => {
  const looking = (parts: object): System =>
    defineSystem({ processes: { counting }, workload: [send('counting', 'x')], invariants: fine, ...parts });

  test.each<[string, System, string]>([
    [
      'changes a state',
      looking({ invariants: { few: (world: never) => ++stateIn(world).count < 99 } }),
      'the invariant few changes the state: counting.count was 0 and is 1 (after event 1)',
    ],
    [
      'changes a disk',
      looking({ sometimes: { stored: (world: never) => diskIn(world).set('by', 'a mark').size > 0 } }),
      'the mark stored changes the state: counting.disk."by" was nothing and is "a mark" (after event 1)',
    ],
    [
      'says something else when it is asked again',
      looking({ invariants: { moody: alternating() } }),
      'the invariant moody returns true at first and "odd" when called again (after event 0)',
    ],
    [
      'is a wait',
      looking({ workload: [until((world) => ++stateIn(world as never).count > 0), send('counting', 'x')] }),
      'an until(…) changes the state: counting.count was 0 and is 1 (after event 1)',
    ],
    [
      'is an action',
      looking({
        workload: [act('add')],
        actions: { add: (world: never) => Array.from({ length: ++stateIn(world).count }, () => send('counting', 'x')) },
      }),
      'the action add changes the state: counting.count was 0 and is 1 (after event 1)',
    ],
  ])('%s', async (_what, system, expected) => {
    expect(await complaints(system)).toContain(`problem   observers: ${expected}`);
  });

  test('is to blame, and not callbacks that run after it', async () => {
    const few = (world: never): boolean => ++stateIn(world).count < 99;
    const system = looking({ invariants: { few, ...fine }, sometimes: { any: () => true } });
    expect(await complaints(system)).toEqual([
      'problem   observers: the invariant few changes the state: counting.count was 0 and is 1 (after event 1)',
    ]);
  });

  test('changes a message under way, which every execution shares', async () => {
    const system = looking({
      workload: [send('counting', { n: 1 })],
      invariants: { none: (world: never) => changesMessages(world) },
    });
    expect(await complaints(system)).toEqual([
      expect.stringMatching(/^problem {3}determinism: .* Event 2: environment \(send\): message\.n is 21, and was 20 /),
      'problem   observers: the invariant none changes the state: pending.0.message.n was 48 and is 49 (after event 2)',
    ]);
  });

  test('is random, and names the source', async () => {
    const lucky = (): boolean => Math.random() < 2;
    expect(await complaints(looking({ sometimes: { lucky } }))).toEqual([
      expect.stringMatching(
        /^warning {3}leaks: Math\.random at test\/doctor\/observers\.test\.ts:\d+, called by the mark lucky, after event 1 of seed 0; with other results, nothing changed in 3 executions$/,
      ),
    ]);
  });

  test('is missing', async () => {
    expect(await complaints(defineSystem({ processes: { counting }, workload: [send('counting', 'x')] }))).toEqual([
      'warning   observers: no invariant is declared',
    ]);
  });
});

interface AnyWorld {
  up(): readonly { state: { count: number }; disk: Map<string, unknown> }[];
  readonly pending: readonly { message?: { n: number } }[];
}

const stateIn = (world: AnyWorld): { count: number } => world.up()[0]?.state ?? { count: 0 };
const diskIn = (world: AnyWorld): Map<string, unknown> => world.up()[0]?.disk ?? new Map<string, unknown>();

function changesMessages({ pending }: AnyWorld): boolean {
  for (const { message } of pending) if (typeof message === 'object') message.n += 1;
  return true;
}

/** True and false in turn. */
function alternating(): () => true | string {
  let asked = 0;
  return () => asked++ % 2 === 0 || 'odd';
}
