import { defineSystem, send } from 'culprit';
import { bugCalled } from './bugs.ts';
import { nodeWith } from './gossip.ts';
import { canBeConvicted } from './invariants.ts';
import type { Message } from './messages.ts';
import { phrases } from './phrases.ts';
import { rules } from './rules.ts';

const parameters = {
  bug: 'none',
  nodes: 3,
  /** How often each node gossips with the next one. */
  rounds: 1,
  crashes: 2,
  restarts: 1,
};

/** Cassandra's gossip and failure detection, as far as one of its bugs needs them. README.md says what it is. */
export default defineSystem(parameters, ({ bug, nodes, rounds, crashes, restarts }) => {
  const node = nodeWith(bugCalled(bug));
  const names = Array.from({ length: nodes }, (_, at) => `node-${at + 1}`);
  const round = names.map((name, at) => send<Message>(name, { type: 'gossip', to: names[(at + 1) % nodes] as string }));
  return defineSystem({
    processes: Object.fromEntries(names.map((name) => [name, node])),
    transport: { onCrash: { to: 'drop', from: 'keep', notice: { type: 'down' } } },
    faults: { crashes, restarts },
    workload: Array.from({ length: rounds }, () => round).flat(),
    invariants: { canBeConvicted: (world) => canBeConvicted(world.up(node)) },
    sometimes: {
      convicts: (world) => world.up(node).some(({ state }) => state.sampled.length > state.alive.length),
      meetsAgain: (world) => world.up(node).some((one) => one.restarts > 0 && one.state.alive.length > 0),
    },
    // All know one another from the start, so all have to be there.
    minimize: { keep: ({ kind }) => kind === 'start' },
    phrases,
    reduce: rules,
  });
});
