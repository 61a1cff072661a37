import { expect, test } from 'vitest';
import { check, search } from 'culprit';
import replicatedLog from '../../cases/replicated-log/replicated-log.system.ts';

/** What is said, but for the time it took. */
const timeless = (report: object): object => ({ ...report, seconds: 0 });

test('workers hunt in a system of classes as one thread does', async () => {
  const alone = await search(replicatedLog, { executions: 60, violations: 3 });
  const shared = await search(replicatedLog, { executions: 60, violations: 3, workers: 2 });
  expect(alone.findings).toHaveLength(1);
  expect(timeless(shared)).toEqual(timeless(alone));
});

test('workers check a system of classes as one thread does', async () => {
  const set = { nodes: 4, appends: 1, retries: 1, countsNodes: true };
  const shared = await check(replicatedLog, { set, workers: 2 });
  expect([shared.verdict, shared.executions - shared.redundant]).toEqual(['holds', 1_489]);
  const violated = { ...set, countsNodes: false };
  const [alone, together] = await Promise.all(
    [1, 2].map((workers) => check(replicatedLog, { set: violated, workers })),
  );
  expect(together?.findings.map(({ trace }) => trace)).toEqual(alone?.findings.map(({ trace }) => trace));
});
