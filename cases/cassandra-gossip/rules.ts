import type { Effect, ProcessView, ReductionRules } from 'culprit';
import { isNewer, type Heartbeats, type Message } from './messages.ts';
import type { Node } from './node.ts';

/** Rules for a check. A conviction concerns only the node that convicts: it sends nothing. */
export const rules: ReductionRules<Node, Message> = {
  message: (message, receiver) => effect(message, receiver),
  crash: () => 'local',
  recovery: (survivor, crashing) => seenBy(survivor, crashing),
  rejoin: (survivor, rebooting) => seenBy(survivor, rebooting),
};

/** Gossip without news has no effect on a node that has samples of all nodes it knows. */
function effect(message: Message, { name, state }: ProcessView<Node>): Effect {
  if (state === undefined || !hasSampledAll(name, state)) return 'modifies';
  switch (message.type) {
    case 'syn':
      return hasNews(message.digests, state.known) || isBehind(message.digests, state.known) ? 'modifies' : 'discards';
    case 'ack':
      return message.lacks.length > 0 || hasNews(message.news, state.known) ? 'modifies' : 'discards';
    case 'ack2':
      return hasNews(message.news, state.known) ? 'modifies' : 'discards';
    case 'down':
      // The name of the crashed node is not available here.
      return state.alive.length > 0 ? 'modifies' : 'discards';
    case 'gossip':
      return 'modifies';
  }
}

const hasSampledAll = (self: string, { known, sampled }: Node): boolean =>
  Object.keys(known).every((name) => name === self || sampled.includes(name));

const hasNews = (heard: Heartbeats, known: Heartbeats): boolean =>
  Object.entries(heard).some(([name, heartbeat]) => isNewer(heartbeat, known[name]));

/** The sender would get news. */
const isBehind = (heard: Heartbeats, known: Heartbeats): boolean =>
  Object.entries(heard).some(([name, heartbeat]) => known[name] !== undefined && isNewer(known[name], heartbeat));

/** A survivor passes on what it knows, whichever node has crashed; its own version says how many rounds remain. */
const seenBy = ({ state }: ProcessView<Node>, { name, restarts }: ProcessView): unknown =>
  state && { ...state, about: name, restarts };
