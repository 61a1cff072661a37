import { BadParameter, search, type Parameter } from 'culprit';
import { describe, expect, test } from 'vitest';
import raft from './raft.system.ts';

interface Hunt {
  readonly set: Readonly<Record<string, Parameter>>;
  /** Not far from an execution that fails; the README says how far that is from seed 1. */
  readonly seed: number;
  readonly executions: number;
  readonly events: number;
  readonly oracle: string;
  readonly message: string;
}

const hunts: readonly Hunt[] = [
  {
    set: { bug: 'raft-45' },
    seed: 270,
    executions: 10,
    events: 590,
    oracle: 'electionSafety',
    message: 'node-2 and node-3 have both been leader of term 32',
  },
  {
    set: { bug: 'raft-46' },
    seed: 33,
    executions: 6,
    events: 470,
    oracle: 'electionSafety',
    message: 'node-1 and node-2 have both been leader of term 22',
  },
  {
    set: { bug: 'raft-56', virtualTime: true },
    seed: 3_207,
    executions: 3,
    events: 698,
    oracle: 'electionSafety',
    message: 'node-1 and node-4 have both been leader of term 28',
  },
  {
    set: { bug: 'raft-58a', commands: 200 },
    seed: 5_550,
    executions: 11,
    events: 938,
    oracle: 'noUncaughtException',
    message: 'node-4 threw AssertionError: the next entry for a follower lies beyond the log',
  },
  {
    set: { bug: 'raft-58b', commands: 200 },
    seed: 35,
    executions: 3,
    events: 715,
    oracle: 'logMatching',
    message: 'node-1 and node-2 share entry 1 of term 33, but not all before it',
  },
  {
    set: { bug: 'raft-42', commands: 200 },
    seed: 570,
    executions: 8,
    events: 662,
    oracle: 'leaderCompleteness',
    message: 'node-2, leader of term 31, lacks c42, which node-1 knew to be committed in term 19',
  },
  {
    set: { bug: 'raft-66', commands: 60, unordered: true },
    seed: 1_670,
    executions: 13,
    events: 368,
    oracle: 'leaderCompleteness',
    message: 'node-1, leader of term 19, lacks c31, which node-3 knew to be committed in term 17',
  },
  {
    set: { bug: 'raft-45', nodes: 9 },
    seed: 75,
    executions: 8,
    events: 415,
    oracle: 'electionSafety',
    message: 'node-1 and node-5 have both been leader of term 10',
  },
];

const strategy = 'random';

describe.each(hunts)('with $set', ({ set, seed, executions, events, oracle, message }) => {
  test(`${oracle} is violated`, async () => {
    const { findings } = await search(raft, { strategy, set, seed, executions: 100 });
    expect(findings.map(({ trace, executions: after }) => [after, trace.events.length])).toEqual([
      [executions, events],
    ]);
    expect(findings[0]?.trace.verdict).toMatchObject({ oracle, message });
  });

  test('and without the bug it is not, in the same executions', async () => {
    const { findings } = await search(raft, { strategy, set: { ...set, bug: 'none' }, seed, executions });
    expect(findings).toEqual([]);
  });
});

/** Fewer timers: leaders last longer, and more is committed. */
const calm = { fire: 0.05 };

// Three nodes are touchier than four: two quorums may have but one node in common.
describe('the protocol without bugs', () => {
  test.each([
    { set: {}, executions: 15 },
    { set: {}, weights: calm, executions: 15 },
    { set: { virtualTime: true }, executions: 15 },
    { set: { unordered: true }, weights: calm, executions: 15 },
    { set: { nodes: 3 }, executions: 50 },
    { set: { nodes: 3, unordered: true }, executions: 50 },
    { set: { nodes: 9 }, weights: calm, executions: 15 },
    { set: { nodes: 3, reboots: 100 }, weights: calm, executions: 50 },
    { set: { reboots: 100, unordered: true }, weights: calm, executions: 15 },
  ])('keeps every invariant with $set', async (how) => {
    const { executions } = how;
    const report = await search(raft, { strategy, eventsMax: 2_000, ...how });
    expect(report.findings).toEqual([]);
    expect(report.events).toBe(executions * 2_000);
    expect(report.coverage).toMatchObject({ distinct: executions, marksMissed: [], never: [] });
  });
});

test.each(['pos', 'pct', 'pctcp'] as const)(
  'timers do not starve elections where priorities decide: %s',
  async (name) => {
    const { coverage } = await search(raft, { strategy: name, seed: 1, executions: 10 });
    expect(coverage.marksReached).toContain('electsLeader');
  },
);

test('an unknown bug is refused', async () => {
  await expect(search(raft, { set: { bug: 'raft-99' } })).rejects.toThrow(BadParameter);
});
