import { check, defineSystem, type System } from 'culprit';
import type { Policy } from 'culprit/kernel';
import { hex } from 'culprit/trace';
import cassandraGossip from '../../cases/cassandra-gossip/cassandra-gossip.system.ts';
import cassandraHandoff from '../../cases/cassandra-handoff/cassandra-handoff.system.ts';
import hadoopCluster from '../../cases/hadoop-cluster/hadoop-cluster.system.ts';
import hadoopSpeculation from '../../cases/hadoop-speculation/hadoop-speculation.system.ts';
import zookeeperBroadcast from '../../cases/zookeeper-broadcast/zookeeper-broadcast.system.ts';
import zookeeperElection from '../../cases/zookeeper-election/zookeeper-election.system.ts';
import type { Measured } from '../row.ts';

const LIMITS = { executions: 100_000, eventsMax: 150, seconds: 60 };

type Small = readonly [name: string, system: System, crashes: number, restarts: number, set?: Record<string, number>];

const small: readonly Small[] = [
  ['gossip 1C1R', cassandraGossip, 1, 1],
  ['handoff 1C1R', cassandraHandoff, 1, 1],
  ['cluster 1C1R', hadoopCluster, 1, 1],
  ['speculation 1C0R', hadoopSpeculation, 1, 0],
  ['broadcast 1C1R', zookeeperBroadcast, 1, 1, { writes: 0 }],
  ['election 1C1R', zookeeperElection, 1, 1],
];

const heuristics: readonly (readonly Policy[])[] = [['crs'], ['rss'], ['crs', 'rss']];

/** The final worlds that the heuristics never reach, with every switch off. */
export async function* missed(): AsyncGenerator<Measured> {
  for (const [name, system, crashes, restarts, set = {}] of small) {
    const ends = async (reduce: readonly Policy[]) => {
      const worlds = new Set<string>();
      const faults = { crashes, restarts };
      const report = await check(recording(system, worlds), { ...LIMITS, faults, set, reduce });
      return { worlds, executions: report.executions, isAll: report.plansDone === report.plans };
    };
    const all = await ends([]);
    const what = all.isAll ? name : `${name}, as far as ${all.executions.toLocaleString('en-US')} executions go`;
    yield { case: what, metric: 'end worlds', value: all.worlds.size, unit: 'worlds' };
    for (const reduce of heuristics) {
      const { worlds, executions } = await ends(reduce);
      const lost = [...all.worlds].filter((world) => !worlds.has(world)).length;
      const by = `${what}, by ${reduce.join(' and ')}`;
      yield { case: by, metric: 'executions left', value: executions / all.executions, unit: 'of all' };
      yield { case: by, metric: 'end worlds missed', value: lost / all.worlds.size, unit: 'of all' };
    }
  }
}

/** The same system, with an oracle that notes the final worlds. */
const recording = (system: System, worlds: Set<string>): System =>
  defineSystem(system.parameters, (values) => {
    const definition = system.define(values);
    const ends = {
      judge: () => ({ kind: 'holds' }) as const,
      ignoresOrder: true,
      begin: (session: { worldDigest(): { hi: number; lo: number } }) => ({
        judge: () => ({ kind: 'holds' }) as const,
        end() {
          worlds.add(hex(session.worldDigest()));
          return { kind: 'holds' } as const;
        },
      }),
    };
    return defineSystem({ ...definition, oracles: { ...definition.oracles, ends } });
  });
