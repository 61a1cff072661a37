import { expect, test } from 'vitest';
import { ticking } from '../../test/twins/ticking.ts';
import { behavior, defineSystem } from '../system/define-system.ts';
import { send } from '../system/externals.ts';
import type { AnyBehavior } from '../kernel/behavior.ts';
import type { Trace } from '../trace/format.ts';
import { search } from './search.ts';
import { limitFor } from './saved-findings.ts';

async function found(box: AnyBehavior): Promise<Trace> {
  const system = defineSystem({
    processes: { box },
    workload: [send('box', 'go')],
    invariants: { nothing: ({ last }) => last?.kind !== 'deliver' },
  });
  const { findings } = await search(system, { executions: 5 });
  return findings[0]?.trace as Trace;
}

test('minimizing has six times as long where events appear by themselves, because replays wait for them', async () => {
  expect(limitFor(await found(ticking({})), 10)).toBe(120);
  expect(limitFor(await found(behavior({ start: () => ({}), receive() {} })), 10)).toBe(10);
});
