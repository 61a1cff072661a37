import type { Effect, ProcessView, ReductionRules } from 'culprit';
import type { Touches } from 'culprit/kernel';
import type { Client } from './client.ts';
import { CLIENT, COORDINATOR, type Message } from './messages.ts';
import { quorum, type Node } from './node.ts';

/** Rules for a check. No node reacts to a crash before it has something to send to the crashed node. */
export const rulesFor = (replicas: readonly string[]): ReductionRules<Client | Node, Message> => ({
  message: (message, { state }) => (state === undefined ? 'modifies' : effect(message, state, quorum(replicas.length))),
  crash: () => 'local',
  recovery: (survivor, crashing) => asSeenByCoordinator(survivor, crashing),
  rejoin: (survivor, rebooting) => asSeenByCoordinator(survivor, rebooting),
  touches: (message, { state }) =>
    state === undefined || !isNode(state) ? { updates: [CLIENT] } : touched(message, state, replicas),
  symmetric: [replicas.filter((name) => name !== COORDINATOR)],
});

const isNode = (state: Client | Node): state is Node => 'row' in state;

/** Mutations that are not newer, replies that come too late, and replies below a quorum leave no trace of their order. */
function effect(message: Message, state: Client | Node, enough: number): Effect {
  if (!isNode(state)) return 'modifies';
  switch (message.type) {
    case 'mutation':
      return state.row.includes(message.column) ? 'discards' : 'modifies';
    case 'applied': {
      // The sender is not available here: it may be the replica that a hint is kept for.
      if (Object.values(state.hints).some((columns) => columns.includes(message.column))) return 'modifies';
      const before = state.acks[message.column];
      if (before === undefined) return 'discards';
      return before + 1 < enough ? 'counts' : 'modifies';
    }
    case 'sliced':
      if (state.slices === null) return 'discards';
      return Object.keys(state.slices).length + 1 < enough ? 'counts' : 'modifies';
    default:
      return 'modifies';
  }
}

/** Only the coordinator reacts: it sends to the crashed node, and hands over the columns that the node missed. */
function asSeenByCoordinator({ name, state }: ProcessView<Client | Node>, { name: other, disk }: ProcessView): unknown {
  if (name !== COORDINATOR || state === undefined || !isNode(state)) return undefined;
  const { row, acks, hints, slices } = state;
  return { row, acks, hints: hints[other] ?? [], slices, durable: [...disk.keys()].sort() };
}

function touched(message: Message, { row, acks }: Node, replicas: readonly string[]): Touches {
  const others = replicas.filter((name) => name !== COORDINATOR);
  switch (message.type) {
    case 'write':
      return { updates: ['row', 'disk', `acks ${message.column}`], sends: others };
    case 'mutation':
      return row.includes(message.column) ? { reads: ['row'] } : { updates: ['row', 'disk'] };
    case 'applied':
      return acks[message.column] === undefined
        ? { updates: ['hints'] }
        : { updates: ['hints', `acks ${message.column}`], sends: [CLIENT] };
    case 'read':
      return { reads: ['row'], updates: ['slices'], sends: others };
    case 'slice':
      return { reads: ['row'], sends: [COORDINATOR] };
    case 'sliced':
      return { updates: ['slices'], sends: [CLIENT] };
    case 'up':
      return { reads: ['hints'], updates: ['timers'] };
    case 'written':
    case 'result':
      return {};
  }
}
