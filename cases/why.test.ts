import { explainWhy, replay, type System } from 'culprit';
import { whyLines } from 'culprit/report';
import { readTrace, type Trace } from 'culprit/trace';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import gossip from './cassandra-gossip/cassandra-gossip.system.ts';
import handoff from './cassandra-handoff/cassandra-handoff.system.ts';
import cluster from './hadoop-cluster/hadoop-cluster.system.ts';
import speculation from './hadoop-speculation/hadoop-speculation.system.ts';
import raft from './raft/raft.system.ts';
import spark from './spark/spark.system.ts';
import election from './zookeeper-election/zookeeper-election.system.ts';

const best = (path: string): Trace => readTrace(readFileSync(new URL(path, import.meta.url), 'utf8'), path);

/** For each answer, the event that would have had to come earlier, in words, and the point of no return. */
const answers: readonly (readonly [path: string, system: System, sooner: string, later: string, noReturn: number])[] = [
  [
    'cassandra-gossip/best/cassandra-3626.trace',
    gossip,
    'event 9 (node-1 hears from node-2 how much it knows: node-1 at 0.0, node-2 at 0.…) come',
    'event 5 (node-1 crashes)',
    7,
  ],
  [
    'cassandra-handoff/best/cassandra-3395.trace',
    handoff,
    'event 17 (node-1 gets up from node-3) come',
    'event 12 (node-1 gets write (column c2) from client)',
    23,
  ],
  [
    'hadoop-cluster/best/mapreduce-5489.trace',
    cluster,
    'event 13 (rm crashes) come',
    'event 8 (rm gets register (ask 1, avoid [], epoch 0, holds []) from am)',
    13,
  ],
  [
    'hadoop-cluster/best/mapreduce-5505.trace',
    cluster,
    'event 13 (rm crashes) come',
    'event 12 (rm gets unregister from am)',
    13,
  ],
  [
    'hadoop-speculation/best/mapreduce-4748.trace',
    speculation,
    'kill (epoch 0, task 0) from am reached nm-2',
    'event 15 (nm-2 timer finish 0 fires)',
    15,
  ],
  [
    'raft/best/raft-42.trace',
    raft,
    'event 20 (node-1 hears that node-3 has the log up to 1) come',
    'event 19 (node-1 is asked to do c19)',
    25,
  ],
  [
    'raft/best/raft-45.trace',
    raft,
    'event 16 (node-1 begins an election) come',
    'event 15 (node-1 is asked for its vote by node-2, in term 2)',
    23,
  ],
  [
    'raft/best/raft-46.trace',
    raft,
    "event 21 (node-3 gets node-2's vote for term 1) come",
    'event 15 (node-3 has waited for votes long enough)',
    21,
  ],
  [
    'raft/best/raft-56.trace',
    raft,
    'event 19 (node-2 is asked for its vote by node-1, in term 1) come',
    'event 18 (node-2 hears from node-3, who leads term 1: nothing new after 0)',
    20,
  ],
  [
    'raft/best/raft-58a.trace',
    raft,
    'event 40 (node-1 hears from node-2, who leads term 2: nothing new after 1) come',
    "event 39 (node-1 gets node-3's vote for term 3)",
    40,
  ],
  [
    'raft/best/raft-58b.trace',
    raft,
    'event 24 (node-2 is asked to do c7) come',
    "event 23 (node-2 gets node-3's vote for term 2)",
    25,
  ],
  [
    'raft/best/raft-66.trace',
    raft,
    'event 20 (node-3 hears from node-1, who leads term 1: c8 of term 1 after 0) come',
    'event 19 (node-3 hears from node-1, who leads term 1: c8 of term 1, c7 of term 1 …)',
    26,
  ],
  [
    'spark/best/spark-3150.trace',
    spark,
    'event 7 (environment does failover) come',
    'event 6 (master has written drivers: {driver-0-1: {supervise: false}})',
    6,
  ],
  [
    'spark/best/spark-9256.trace',
    spark,
    'registeredApplication from master reached application-1',
    'event 4 (application-1 timer registrationRetry fires)',
    4,
  ],
  [
    'zookeeper-election/best/zookeeper-790.trace',
    election,
    'event 25 (node-2 gets vote from node-1) come',
    'event 12 (node-2 timer settle fires)',
    21,
  ],
];

test.each(answers)('why %s', async (path, system, sooner, later, noReturn) => {
  const trace = best(path);
  const why = await explainWhy(system, trace, { continuations: 40 });
  expect(why.answer).toBe(`had ${sooner} before ${later}, ${why.oracle} would have held`);
  expect([why.noReturn, why.limits]).toEqual([noReturn, []]);
  const nearest = why.nearest as Trace;
  expect(nearest.verdict.verdict).toBe('holds');
  expect(await replay(system, nearest)).toEqual(nearest);
  for (const line of whyLines(why, trace, { width: 100 })) expect(line.length).toBeLessThanOrEqual(100);
});

test('why spark/best/spark-2294.trace: in any order', async () => {
  const trace = best('spark/best/spark-2294.trace');
  const why = await explainWhy(spark, trace, { continuations: 40 });
  expect(why.answer).toBe('nearestFirst is violated in nearly any order: in 20 of 20 executions from the start');
  expect([why.race, why.turn, why.noReturn]).toEqual([undefined, undefined, 0]);
});
