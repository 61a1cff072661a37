import { act, crash, defineSystem, generate, progress, restart } from 'culprit';
import fc from 'fast-check';
import { bugCalled } from './bugs.ts';
import { epochsAreTaken, isSettled, leaderHasMajority, oneLeader } from './invariants.ts';
import { observer } from './observer.ts';
import { rulesFor } from './rules.ts';
import { server } from './server.ts';

const parameters = {
  bug: 'none',
  /** The initial leader; if empty, none, and the first election is part of every execution. */
  elected: 'node-3',
  /** An observer follows the leader. */
  observed: false,
  /** Whether epochs that servers give themselves are looked at, and not only who leads. */
  strict: false,
  /** How many crashes and restarts there may be. */
  crashes: 1,
  restarts: 1,
  /** How many there are, for hunts: each takes any server down, or up again. */
  outages: 0,
};

const anyone = fc.constantFrom('node-1', 'node-2', 'node-3');

export default defineSystem(parameters, ({ bug: name, elected, observed, strict, crashes, restarts, outages }) => {
  const bug = bugCalled(name);
  const voter = server(bug, elected);
  // zookeeper-975: what is sent to a server that is down waits for it.
  const isQueued = bug === 'zookeeper-975';
  return defineSystem({
    processes: { 'node-1': voter, 'node-2': voter, 'node-3': voter, ...(observed && { observer }) },
    transport: {
      toAbsent: isQueued ? 'keep' : 'return',
      onCrash: { to: isQueued ? 'keep' : 'drop', from: 'drop', notice: { type: 'down' } },
    },
    faults: { crashes, restarts },
    workload: [generate(outages, [1, anyone.map((one) => act('outage', one))])],
    actions: { outage: (world, one: 'node-1') => [world.process(one).up ? crash(one) : restart(one)] },
    invariants: { oneLeader, ...(observed && { leaderHasMajority }), ...(strict && { epochsAreTaken }) },
    // A server that never was there is none of the failures that are looked for.
    minimize: { keep: ({ kind }) => kind === 'start' },
    reduce: rulesFor(bug),
    oracles: { settles: progress(isSettled) },
  });
});
