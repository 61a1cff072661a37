import { act, behavior, crash, defineSystem, restart, search, send } from 'culprit';
import { expect, test } from 'vitest';

const talker = behavior<{ n: number }, string>({
  start: () => ({ n: 0 }),
  receive(state, message, ctx) {
    if (message === 'say') ctx.log(`value ${(state.n += 1)} of "something" at 10.0.0.1:80`);
  },
});
const silent = behavior<object, string>({ start: () => ({}), receive() {} });

test('a hunt reports inputs by kind, and messages by what their receivers printed last', async () => {
  const system = defineSystem({
    processes: { a: talker, b: silent },
    transport: 'fifo',
    actions: { twice: () => [send('b', 'x'), send('b', 'y')] },
    workload: [send('a', 'say'), send('a', 'say'), act('twice'), crash('b'), restart('b')],
  });
  const { coverage, executions } = await search(system, { executions: 4 });
  const each = executions;
  expect(coverage.inputs).toEqual({ crash: each, restart: each, string: 2 * each, twice: each });
  expect(coverage.pairs).toEqual(['string to a after "value # of # at #"', 'string to a after nothing']);
});
