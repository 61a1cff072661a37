import { act, crash, defineSystem, generate, restart, send } from 'culprit';
import fc from 'fast-check';
import { bugCalled } from './bugs.ts';
import { durableNode } from './durable.ts';
import { electionSafety, leaderCompleteness, logMatching, stateMachineSafety } from './invariants.ts';
import type { Message } from './messages.ts';
import { phrases } from './phrases.ts';
import { raftNode } from './handlers.ts';

const parameters = {
  bug: 'none',
  nodes: 4,
  /** Client commands, each to any of the nodes. */
  commands: 100,
  /** Messages between two nodes may overtake each other. */
  unordered: false,
  /** Timers fire roughly in the order of their deadlines, not at any moment. */
  virtualTime: false,
  /** How many crashes with an immediate restart are mixed into the commands, more or less. Nodes then use their disks. */
  reboots: 0,
};

export default defineSystem(parameters, ({ bug, nodes, commands, unordered, virtualTime, reboots }) => {
  const node = (reboots > 0 ? durableNode : raftNode)(bugCalled(bug));
  const names = Array.from({ length: nodes }, (_, at) => `node-${at + 1}`);
  const anyNode = fc.constantFrom(...names);
  const request = (number: number) =>
    generate(
      1,
      [commands, anyNode.map((to) => send(to, { type: 'ClientMessage', command: `c${number}` }))],
      [reboots, anyNode.map((name) => act('reboot', name))],
    );

  return defineSystem({
    processes: Object.fromEntries(names.map((name) => [name, node])),
    transport: unordered ? 'unordered' : 'fifo',
    timers: virtualTime ? { skewMs: 100 } : 'any',
    workload: [
      ...names.map((to) => send<Message>(to, { type: 'ChangeConfiguration', members: names })),
      ...Array.from({ length: commands + reboots }, (_, at) => request(at + 1)),
    ],
    actions: { reboot: (_world, name: string) => [crash(name), restart(name)] },
    sometimes: {
      electsLeader: (world) => world.up().some(({ state }) => state.role === 'Leader'),
      commits: (world) => world.up().some(({ state }) => state.applied.length > 0),
    },
    phrases,
    minimize: { clock: (message) => ('term' in message ? message.term : undefined) },
    invariants: { electionSafety, logMatching, leaderCompleteness, stateMachineSafety },
  });
});
