import { defineSystem, send } from 'culprit';
import { appMasterOf } from './app-master.ts';
import { bugCalled } from './bugs.ts';
import { endsWith } from './ends.ts';
import type { Message } from './messages.ts';
import { nodeManager } from './node-manager.ts';
import { rulesFor } from './rules.ts';

/** Hadoop's speculative execution, as far as one of its bugs needs it. README.md says what it is. */
export default defineSystem(
  { bug: 'none', nodes: 2, tasks: 1, slowdowns: 1, crashes: 0, restarts: 0 },
  ({ bug: name, nodes: amount, tasks, slowdowns, crashes, restarts }) => {
    const bug = bugCalled(name);
    const nodes = Array.from({ length: amount }, (_, at) => `nm-${at + 1}`);
    const am = appMasterOf({ nodes, tasks, bug });
    return defineSystem({
      name: 'hadoop-speculation',
      processes: { am, ...Object.fromEntries(nodes.map((node) => [node, nodeManager])) },
      // Connections: one that closes says so at the other end, and one that cannot be opened brings the message back.
      transport: { toAbsent: 'return', onCrash: { to: 'drop', from: 'keep', notice: { type: 'down' } } },
      faults: { crashes, restarts },
      workload: nodes.slice(0, slowdowns).map((node) => send<Message>(node, { type: 'slow' })),
      invariants: {
        oneResult(world) {
          const results = world
            .up(am)
            .flatMap(({ state }) => state.tasks.map(({ attempts }) => Object.values(attempts)));
          const twice = results.findIndex(
            (attempts) => attempts.filter((attempt) => attempt === 'succeeded').length > 1,
          );
          return twice < 0 || `task ${twice} has more than one result`;
        },
      },
      oracles: {
        ends: endsWith(
          (world) => world.up(am).map(({ state }) => state),
          // Without crashes, an absent process has never started.
          (world) => crashes > 0 || world.up().length === amount + 1,
        ),
      },
      reduce: rulesFor(nodes),
      sometimes: {
        speculates: (world) =>
          world.up(am).some(({ state }) => state.tasks.some(({ attempts }) => Object.keys(attempts).length > 1)),
        kills: (world) =>
          world
            .up(am)
            .some(({ state }) => state.tasks.some(({ attempts }) => Object.values(attempts).includes('killed'))),
      },
    });
  },
);
