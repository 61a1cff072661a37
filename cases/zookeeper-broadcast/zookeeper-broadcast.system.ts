import { defineSystem } from 'culprit';
import { bugCalled } from './bugs.ts';
import { zookeeperServer } from './handlers.ts';
import { oneValue, sameData } from './invariants.ts';
import { rules } from './rules.ts';
import { workloadOf } from './workload.ts';

const parameters = {
  bug: 'none',
  /** The writes of clients, three at most. A server that does not lead refuses. */
  writes: 2,
  /** How many crashes and restarts of any server, more or less, the workload has after each write: for hunts. */
  outages: 0,
  /** Whether what is on disks is looked at, and not only what clients see. */
  strict: false,
  crashes: 1,
  restarts: 1,
};

/** ZooKeeper's atomic broadcast, as far as two of its bugs need it. README.md says what they are. */
export default defineSystem(parameters, ({ bug: name, writes, outages, strict, crashes, restarts }) => {
  const server = zookeeperServer(bugCalled(name));
  return defineSystem({
    name: 'zookeeper-broadcast',
    processes: { A: server, B: server, C: server },
    // Connections: a server that is connected to a crashed one, or tries to connect, learns that it is gone.
    transport: { toAbsent: 'return', onCrash: { to: 'drop', from: 'keep', notice: { type: 'down' } } },
    workload: workloadOf(writes, outages),
    faults: { crashes, restarts },
    // Otherwise a hunt has performed the whole workload before a server leads.
    weights: { external: 0.3 },
    invariants: {
      sameData: (world) => sameData(world.up(server)),
      ...(strict && { oneValue }),
    },
    sometimes: { commits: (world) => world.up(server).some(({ state }) => state.data.length > 0) },
    reduce: rules,
  });
});
