import { check, replay, type CheckOptions, type Parameter, type System } from 'culprit';
import { describe, expect, test } from 'vitest';
import cassandraGossip from './cassandra-gossip/cassandra-gossip.system.ts';
import cassandraHandoff from './cassandra-handoff/cassandra-handoff.system.ts';
import hadoopCluster from './hadoop-cluster/hadoop-cluster.system.ts';
import hadoopSpeculation from './hadoop-speculation/hadoop-speculation.system.ts';
import zookeeperBroadcast from './zookeeper-broadcast/zookeeper-broadcast.system.ts';
import zookeeperElection from './zookeeper-election/zookeeper-election.system.ts';

type Faults = readonly [crashes: number, restarts: number];
type Set = Readonly<Record<string, Parameter>>;

const checked = (system: System, [crashes, restarts]: Faults, set: Set, options: CheckOptions) =>
  check(system, { faults: { crashes, restarts }, set, eventsMax: 150, ...options });

describe('with every switch off, nothing is violated in any execution', () => {
  test.each<[string, System, Faults, Set, 'dpor' | 'breadth' | 'novelty', number]>([
    ['gossip', cassandraGossip, [1, 0], {}, 'breadth', 33],
    ['handoff', cassandraHandoff, [1, 0], {}, 'breadth', 65],
    ['cluster', hadoopCluster, [1, 0], {}, 'dpor', 1304],
    ['speculation', hadoopSpeculation, [0, 0], {}, 'dpor', 23],
    ['broadcast', zookeeperBroadcast, [1, 0], { writes: 0 }, 'breadth', 7],
    ['broadcast, by novelty', zookeeperBroadcast, [1, 0], { writes: 0 }, 'novelty', 456],
    ['broadcast, strictly', zookeeperBroadcast, [1, 0], { writes: 1, strict: true }, 'breadth', 17],
    ['election', zookeeperElection, [1, 0], {}, 'dpor', 25],
    ['election, strictly', zookeeperElection, [1, 0], { strict: true }, 'dpor', 25],
  ])('%s', async (_name, system, faults, set, search, executions) => {
    const report = await checked(system, faults, set, { search });
    expect(report).toMatchObject({ verdict: 'holds', executions, redundant: 0, cut: 0 });
  });
});

test.each<[string, System, Faults, number]>([
  ['mapreduce-5489', hadoopCluster, [2, 1], 1152],
  ['cassandra-3626', cassandraGossip, [2, 1], 14],
])('with random walks in between, it finds %s', async (bug, system, faults, executions) => {
  const report = await checked(system, faults, { bug }, { search: 'mixed', reduce: ['crs', 'rss'] });
  expect(report).toMatchObject({ verdict: 'violated', executions });
});

test.each<[string, System, Faults, Set, number, number]>([
  ['zookeeper-335', zookeeperBroadcast, [3, 3], {}, 1318, 43],
  ['zookeeper-335', zookeeperBroadcast, [3, 3], { strict: true }, 632, 34],
  ['zookeeper-790', zookeeperElection, [1, 1], { elected: '' }, 845, 58],
  ['zookeeper-790', zookeeperElection, [1, 1], { elected: '', strict: true }, 111, 16],
  ['zookeeper-975', zookeeperElection, [1, 1], {}, 8, 21],
  ['zookeeper-1075', zookeeperElection, [3, 2], {}, 11, 21],
  ['zookeeper-1419', zookeeperElection, [3, 2], {}, 154, 95],
  ['zookeeper-1492', zookeeperElection, [1, 0], { elected: '', observed: true }, 199, 23],
  ['zookeeper-1653', zookeeperBroadcast, [1, 1], { writes: 0 }, 14, 11],
  ['mapreduce-4748', hadoopSpeculation, [0, 0], {}, 3, 18],
  ['mapreduce-5489', hadoopCluster, [2, 1], {}, 71, 24],
  ['mapreduce-5505', hadoopCluster, [1, 1], {}, 28, 21],
  ['cassandra-3395', cassandraHandoff, [1, 1], {}, 18, 28],
  ['cassandra-3626', cassandraGossip, [2, 1], {}, 6, 17],
])('with new transitions first, it finds %s', async (bug, system, faults, set, executions, events) => {
  const options = { search: 'novelty', reduce: ['crs', 'rss'] } as const;
  const report = await checked(system, faults, { bug, ...set }, options);
  expect(report).toMatchObject({ verdict: 'violated', executions });
  expect(report.findings[0]?.trace.events.length).toBe(events);
});

describe('race reversal finds', () => {
  test.each<[string, System, Faults, Set, number, number]>([
    ['zookeeper-975', zookeeperElection, [1, 1], {}, 5, 25],
    ['zookeeper-1075', zookeeperElection, [3, 2], {}, 460, 13],
    ['zookeeper-1653', zookeeperBroadcast, [1, 1], { writes: 0 }, 5, 28],
    ['mapreduce-4748', hadoopSpeculation, [0, 0], {}, 14, 18],
    ['mapreduce-5505', hadoopCluster, [1, 1], {}, 70, 21],
    ['cassandra-3395', cassandraHandoff, [1, 1], {}, 37, 29],
    ['cassandra-3626', cassandraGossip, [2, 1], {}, 520, 25],
  ])('%s', async (bug, system, faults, set, executions, events) => {
    const report = await checked(system, faults, { bug, ...set }, { search: 'race-reversal' });
    expect(report).toMatchObject({ verdict: 'violated', executions });
    const trace = report.findings[0]?.trace as NonNullable<(typeof report.findings)[number]>['trace'];
    expect(trace.events.length).toBe(events);
    expect((await replay(system, trace)).verdict).toEqual(trace.verdict);
  });
});
