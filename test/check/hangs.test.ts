import { behavior, check, defineSystem, replay, send } from 'culprit';
import type { CheckFinding, SearchName } from 'culprit/kernel';
import { expect, test } from 'vitest';

test.each<[search: SearchName, isLate: boolean]>([
  ['dpor', false],
  ['dpor', true],
  ['worlds', false],
  ['novelty', false],
  ['random', true],
])('a handler that does not return is a violation: by %s, after an await: %s', async (search, isLate) => {
  const endless = behavior<{ n: number }, number>({
    start: () => ({ n: 0 }),
    receive(state, by, ctx) {
      const add = (): void => {
        while (by === 2) state.n += 1;
      };
      return isLate ? Promise.resolve(ctx.sleep(1)).then(add) : add();
    },
  });
  const system = defineSystem({ processes: { a: endless }, workload: [send('a', 1), send('a', 2)] });
  const { verdict, findings } = await check(system, { handlerMs: 20, search });
  expect(verdict).toBe('violated');
  const [{ trace }] = findings as [CheckFinding];
  expect(trace.verdict).toMatchObject({ oracle: 'handlerReturns', processes: ['a'] });
  expect(trace.events.at(-1)).toMatchObject({ kind: isLate ? 'complete' : 'deliver', process: 'a' });
  expect(await replay(system, trace, { handlerMs: 20 })).toEqual(trace);
});
