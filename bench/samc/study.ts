import type { Parameter, System } from 'culprit';
import cassandraGossip from '../../cases/cassandra-gossip/cassandra-gossip.system.ts';
import cassandraHandoff from '../../cases/cassandra-handoff/cassandra-handoff.system.ts';
import hadoopCluster from '../../cases/hadoop-cluster/hadoop-cluster.system.ts';
import hadoopSpeculation from '../../cases/hadoop-speculation/hadoop-speculation.system.ts';
import zookeeperBroadcast from '../../cases/zookeeper-broadcast/zookeeper-broadcast.system.ts';
import zookeeperElection from '../../cases/zookeeper-election/zookeeper-election.system.ts';

/**
 * One of the twelve bugs, and the figures of the study: executions until it was found; undefined if not within 5,000.
 */
export interface Studied {
  readonly bug: string;
  readonly system: System;
  readonly set: Readonly<Record<string, Parameter>>;
  readonly crashes: number;
  readonly restarts: number;
  readonly study: {
    readonly bdp: number | undefined;
    readonly random: number | undefined;
    readonly rdp: number | undefined;
    readonly samc: number;
  };
}

type Figures = readonly [bdp: number | undefined, random: number | undefined, rdp: number | undefined, samc: number];

const studied = (
  bug: string,
  system: System,
  [crashes, restarts]: readonly [number, number],
  [bdp, random, rdp, samc]: Figures,
  set: Studied['set'] = {},
): Studied => ({ bug, system, set: { bug, ...set }, crashes, restarts, study: { bdp, random, rdp, samc } });

/** Faults and figures of table 5.1 of the study. */
export const twelve: readonly Studied[] = [
  studied('zookeeper-335', zookeeperBroadcast, [3, 3], [undefined, 1057, undefined, 117], { strict: true }),
  studied('zookeeper-790', zookeeperElection, [1, 1], [14, 225, 82, 7], { elected: '', strict: true }),
  studied('zookeeper-975', zookeeperElection, [1, 1], [967, 71, 163, 53]),
  studied('zookeeper-1075', zookeeperElection, [3, 2], [1081, 86, 250, 16]),
  studied('zookeeper-1419', zookeeperElection, [3, 2], [924, 2514, 987, 100]),
  studied('zookeeper-1492', zookeeperElection, [1, 0], [undefined, undefined, undefined, 576], {
    elected: '',
    observed: true,
  }),
  studied('zookeeper-1653', zookeeperBroadcast, [1, 1], [945, 3756, 3462, 11], { writes: 0 }),
  studied('mapreduce-4748', hadoopSpeculation, [0, 0], [22, 6, 6, 4]),
  studied('mapreduce-5489', hadoopCluster, [2, 1], [undefined, undefined, undefined, 53]),
  studied('mapreduce-5505', hadoopCluster, [1, 1], [1212, undefined, 1210, 40]),
  studied('cassandra-3395', cassandraHandoff, [1, 1], [2552, 191, 550, 104]),
  studied('cassandra-3626', cassandraGossip, [2, 1], [undefined, undefined, undefined, 96]),
];

/** The protocols of table 5.2 of the study, and how many times more executions black-box reduction needs there. */
export const protocols = [
  { protocol: 'ZLE', system: zookeeperElection, set: { elected: '' }, study: [37, 63, 103] },
  { protocol: 'ZAB', system: zookeeperBroadcast, set: { writes: 1 }, study: [93, 107, 166] },
] as const;
