import { behavior, check, defineSystem, type System } from 'culprit';
import type { DeclaredLink, SearchName } from 'culprit/kernel';
import { expect, test } from 'vitest';

/** Two messages that the receiver keeps in the order of their arrival. */
const sender = (lanes: readonly (string | undefined)[]) =>
  behavior<object, number>({
    start(ctx) {
      for (const [at, lane] of lanes.entries()) ctx.send('receiver', at, { lane });
      return {};
    },
    receive() {},
  });

const receiver = behavior<{ seen: number[] }, number>({
  start: () => ({ seen: [] }),
  receive(state, message) {
    state.seen.push(message);
  },
});

const systemWith = (
  lanes: readonly (string | undefined)[],
  order: 'fifo' | 'unordered',
  links?: readonly DeclaredLink[],
): System =>
  defineSystem({
    processes: { sender: sender(lanes), receiver },
    transport: { order },
    ...(links === undefined ? {} : { links }),
  });

const between = ['sender', 'receiver'] as const;

test.each<[string, System, number]>([
  ['the default lane', systemWith([undefined, undefined, undefined], 'fifo'), 1],
  ['one lane', systemWith(['x', 'x', 'x'], 'fifo'), 1],
  ['two lanes', systemWith([undefined, 'x', 'x'], 'fifo'), 3],
  ['three lanes', systemWith([undefined, 'x', 'y'], 'fifo'), 6],
  ['an unordered link', systemWith([undefined, undefined], 'fifo', [{ between, order: 'unordered' }]), 2],
  ['an unordered lane', systemWith(['x', 'x', undefined], 'fifo', [{ between, lane: 'x', order: 'unordered' }]), 6],
  ['an ordered link', systemWith([undefined, undefined], 'unordered', [{ between, order: 'fifo' }]), 1],
  ['an ordered lane', systemWith(['x', 'x', undefined], 'unordered', [{ between, lane: 'x', order: 'fifo' }]), 3],
])('%s: every order that it allows, and no other', async (_what, system, orders) => {
  for (const search of ['dpor', 'race-reversal', 'blackbox'] as const satisfies readonly SearchName[]) {
    const { verdict, executions } = await check(system, { search });
    expect([search, verdict, executions]).toEqual([search, 'holds', orders]);
  }
});
