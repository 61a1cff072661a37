import { behavior, defineSystem, search, send } from 'culprit';
import { expect, test } from 'vitest';
import { ticking } from '../twins/ticking.ts';

test.each([
  [
    'does not return',
    () => {
      for (;;);
    },
  ],
  [
    'awaits forever, without a pause',
    async () => {
      for (;;) await Promise.resolve();
    },
  ],
  [
    'does not return after an await',
    async () => {
      await Promise.resolve();
      for (;;);
    },
  ],
])('a handler of an actor that %s is found beside a process that acts by itself', async (_how, receive) => {
  const system = defineSystem({
    processes: { box: ticking({}), actor: behavior({ start: () => ({}), receive }) },
    workload: [send('box', 'hello'), send('actor', 'go')],
    invariants: {},
  });
  const { findings } = await search(system, { executions: 1, handlerMs: 100 });
  expect(findings[0]?.trace.verdict).toMatchObject({
    verdict: 'violated',
    oracle: 'handlerReturns',
    message: expect.stringContaining('actor did not return') as string,
  });
});
