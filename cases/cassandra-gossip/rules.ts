import type { Effect, ProcessView, ReductionRules } from 'culprit';
import { isNewer, type Heartbeats, type Message } from './messages.ts';
import type { Node } from './node.ts';

/** What a check may leave out. A conviction is a matter of the one that convicts: it sends nothing. */
export const rules: ReductionRules<Node, Message> = {
  message: (message, receiver) => effect(message, receiver),
  crash: () => 'local',
  recovery: (survivor, crashing) => seenBy(survivor, crashing),
  rejoin: (survivor, rebooting) => seenBy(survivor, rebooting),
};

/** Gossip without news is lost on a node that has samples of all it knows. */
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
      // Who is gone is not known here.
      return state.alive.length > 0 ? 'modifies' : 'discards';
    case 'gossip':
      return 'modifies';
  }
}

const hasSampledAll = (self: string, { known, sampled }: Node): boolean =>
  Object.keys(known).every((name) => name === self || sampled.includes(name));

const hasNews = (heard: Heartbeats, known: Heartbeats): boolean =>
  Object.entries(heard).some(([name, heartbeat]) => isNewer(heartbeat, known[name]));

/** The sender would be told. */
const isBehind = (heard: Heartbeats, known: Heartbeats): boolean =>
  Object.entries(heard).some(([name, heartbeat]) => known[name] !== undefined && isNewer(known[name], heartbeat));

/** What a survivor passes on is what it knows, whoever is gone; its own version says how much it has still to say. */
const seenBy = ({ state }: ProcessView<Node>, { name, restarts }: ProcessView): unknown =>
  state && { ...state, about: name, restarts };
