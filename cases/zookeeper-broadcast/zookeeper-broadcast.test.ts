import { BadParameter, minimize, search, type Parameter } from 'culprit';
import { storyLines } from 'culprit/report';
import type { Finding } from 'culprit/kernel';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { synced, syncFrom } from './history.ts';
import zookeeper from './zookeeper-broadcast.system.ts';

interface Hunt {
  readonly set: Readonly<Record<string, Parameter>>;
  /** Not far from an execution that fails. */
  readonly seed: number;
  readonly executions: number;
  readonly events: number;
  readonly oracle: string;
  readonly message: string;
  /** The events of the minimized execution, and the crashes among them. */
  readonly minimal: number;
  readonly crashes: number;
}

const hunts: readonly Hunt[] = [
  {
    set: { bug: 'zookeeper-335', outages: 8, crashes: 0, restarts: 0 },
    seed: 23_000,
    executions: 23,
    events: 51,
    oracle: 'sameData',
    message: 'B has Y as transaction 1.1 where C has X as transaction 1.1',
    minimal: 28,
    crashes: 3,
  },
  {
    set: { bug: 'zookeeper-1653', writes: 0 },
    seed: 50,
    executions: 10,
    events: 12,
    oracle: 'noUncaughtException',
    message: 'A threw Error: the current epoch, 0, is older than that of the snapshot, 1',
    minimal: 9,
    crashes: 1,
  },
];

const found = async ({ set, seed }: Hunt) => search(zookeeper, { strategy: 'random', seed, executions: 100, set });

describe.each(hunts)('with $set', (hunt) => {
  const { set, seed, executions, events, oracle, message } = hunt;

  test(`${oracle} is violated, and the minimized execution is shown in the README`, async () => {
    const { findings } = await found(hunt);
    expect(findings.map(({ trace, executions: after }) => [after, trace.events.length])).toEqual([
      [executions, events],
    ]);
    const { trace } = findings[0] as Finding;
    expect(trace.verdict).toMatchObject({ oracle, message });
    const { trace: minimal } = await minimize(zookeeper, trace, { seconds: 50 });
    const count = (kind: string): number => minimal.events.filter((event) => event.kind === kind).length;
    expect([minimal.events.length, count('crash'), count('restart')]).toEqual([
      hunt.minimal,
      hunt.crashes,
      hunt.crashes,
    ]);
    const story = storyLines(minimal.events).map((line) => line.trimEnd());
    expect(readme).toContain(story.join('\n'));
  });

  test('and without the bug it is not, in the same executions', async () => {
    const { findings } = await search(zookeeper, {
      strategy: 'random',
      seed,
      executions,
      set: { ...set, bug: 'none' },
    });
    expect(findings).toEqual([]);
  });
});

const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');

describe('the protocol without bugs', () => {
  test.each([
    { set: {}, executions: 2_000, events: 47_811 },
    { set: { writes: 3, outages: 5, crashes: 0, restarts: 0 }, executions: 1_500, events: 77_012 },
  ])('keeps every invariant with $set, and every execution ends', async ({ set, executions, events }) => {
    const report = await search(zookeeper, { strategy: 'random', executions, set });
    expect(report).toMatchObject({ findings: [], executions, unknown: 0, events });
    expect(report.coverage.marksMissed).toEqual([]);
  });
});

test('a learner gets the missing part, or everything if it has entries that its leader does not know', () => {
  const [x, y, z] = [
    { epoch: 1, count: 1, value: 'X' },
    { epoch: 2, count: 1, value: 'Y' },
    { epoch: 2, count: 2, value: 'Z' },
  ];
  expect(synced([y], syncFrom(y, [y, z]))).toEqual([y, z]);
  expect(syncFrom(y, [y, z])).toEqual({ kind: 'DIFF', transactions: [z] });
  expect(synced([x], syncFrom(x, [y, z]))).toEqual([y, z]);
});

test('an unknown bug is refused', async () => {
  await expect(search(zookeeper, { set: { bug: 'zookeeper-1' } })).rejects.toThrow(BadParameter);
});
