import { crash, defineSystem, generate, restart } from 'culprit';
import fc from 'fast-check';
import { appMasterOf } from './app-master.ts';
import { bugCalled } from './bugs.ts';
import { client } from './client.ts';
import { ends } from './ends.ts';
import { nodeManager } from './node-manager.ts';
import { resourceManagerOf } from './resource-manager.ts';
import { rules } from './rules.ts';

/** Hadoop's cluster management, as far as two of its bugs need it. README.md describes them. */
export default defineSystem(
  { bug: 'none', nodes: 2, tasks: 1, crashes: 2, restarts: 1, outages: 0 },
  ({ bug: name, nodes: amount, tasks, crashes, restarts, outages }) => {
    const bug = bugCalled(name);
    const nodes = Array.from({ length: amount }, (_, at) => `nm-${at + 1}`);
    const rm = resourceManagerOf(nodes, bug);
    const am = appMasterOf({ nodes, tasks, bug });
    const anyone = fc.constantFrom('rm', 'am', ...nodes);
    return defineSystem({
      name: 'hadoop-cluster',
      processes: { rm, am, client, ...Object.fromEntries(nodes.map((node) => [node, nodeManager])) },
      // Connections: one that closes says so at the other end, and one that cannot be opened brings the message back.
      transport: { toAbsent: 'return', onCrash: { to: 'drop', from: 'keep', notice: { type: 'down' } } },
      faults: { crashes, restarts },
      // A hunt throws in faults now and then; here that is too rare, as an application is over in a few events.
      workload: Array.from({ length: outages }, () => generate(1, [2, anyone.map(crash)], [1, anyone.map(restart)])),
      weights: { external: 0.2 },
      invariants: {
        finishedIsFinished: (world) =>
          !world.up(client).some(({ state }) => state.told) ||
          !world.up(rm).some(({ state }) => state.app === 'running') ||
          'the client was told that the application is finished, and the resource manager launches it again',
      },
      // As long as there is a resource manager: without one nothing comes to an end.
      oracles: {
        ends: ends((world) => world.up(rm).every(({ state }) => state.app === 'none' || state.app === 'finished')),
      },
      reduce: rules,
      sometimes: {
        finishes: (world) => world.up(client).some(({ state }) => state.told),
        blacklists: (world) => world.up(am).some(({ state }) => state.bad.length > 0),
        givesUp: (world) => world.up(am).some(({ state }) => state.bad.length === amount),
      },
    });
  },
);
