import type { Deliver, Event, External, Internal, Link } from './event.ts';
import type { EventLine, PendingLine } from './format.ts';

/** Live events, externals that have not happened yet, and lines of a trace: all name their fields alike. */
type Described = Event | Internal | External | EventLine | PendingLine;

/** The other end of a message: the sender of a delivery, or the receiver of a message that is sent or comes back. */
export function peerOf(event: Described): string | undefined {
  switch (event.kind) {
    case 'deliver':
      return event.from;
    case 'return':
    case 'send':
      return event.to;
    default:
      return undefined;
  }
}

/** The lane of a message that is delivered; undefined for the default lane, and for other events. */
export const laneOf = (event: Described): string | undefined => (event.kind === 'deliver' ? event.lane : undefined);

/** Whether two events are of the same kind, at the same process, with the same peer, on the same lane. */
export const isSameChannel = (one: Internal, other: Internal): boolean =>
  one.kind === other.kind &&
  one.process === other.process &&
  peerOf(one) === peerOf(other) &&
  laneOf(one) === laneOf(other);

/** Whether a link, or the lane that it names, carries the messages of that channel. */
export const carries = (
  [from, to, only]: Link,
  { from: sender, process, lane }: Pick<Deliver, 'from' | 'process' | 'lane'>,
): boolean => from === sender && to === process && (only === undefined || only === lane);

/** Tells events of one channel apart: the type of a message, or else the topic; empty for an event that has neither. */
export const typeOf = (event: Described): string =>
  'message' in event ? messageType(event.message) : (topicOf(event) ?? '');

/** The name of a timer, an operation and its key, the declared kind of a process, or the name of an action. */
export function topicOf(event: Described): string | undefined {
  switch (event.kind) {
    case 'fire':
      return event.timer;
    case 'complete':
      return `${event.operation} ${event.key}`;
    case 'spawn':
    case 'start':
      return event.of;
    case 'act':
      return event.action;
    default:
      return undefined;
  }
}

/** Whether it is the completion of a write. */
export const isWrite = (event: Described): boolean => event.kind === 'complete' && event.operation === 'write';

/** The `type` field of a message; of a message without this field, or with an object in it, the JavaScript type. */
function messageType(message: unknown): string {
  const isTyped = typeof message === 'object' && message !== null && 'type' in message;
  return isTyped && (typeof message.type !== 'object' || message.type === null) ? String(message.type) : typeof message;
}

/** The data that an event carries: a message, the value of an operation, arguments, links, targets, a payload, a condition. */
export function dataOf(event: Described): unknown {
  switch (event.kind) {
    case 'deliver':
    case 'return':
    case 'send':
      return event.message;
    case 'complete':
      return event.value;
    case 'spawn':
    case 'start':
      return event.args;
    case 'cut':
    case 'heal':
      return event.links;
    case 'lose':
    case 'duplicate':
    case 'delay':
      return event.target;
    case 'hold':
      return [event.target, event.until];
    case 'act':
      return event.payload;
    case 'restart':
      return event.wiped;
    case 'wait':
      return [event.condition, event.met];
    default:
      return undefined;
  }
}

/** An event without identities, numbers and times: equal for events that say the same. */
export const comparableContent = (event: Described): readonly unknown[] => [
  event.kind,
  peerOf(event),
  topicOf(event),
  dataOf(event),
  // Lines of a trace leave out the number 0.
  event.kind === 'deliver' && (event.reply ?? 0) > 0,
  laneOf(event),
];

/**
 * The processes that an event affects at once. A lost, doubled or held message affects none before the delivery. An action
 * affects those at which its consequences happen, which the event itself does not say.
 */
export function processesOf(event: Event | External): readonly string[] {
  switch (event.kind) {
    case 'send':
      return [event.to];
    case 'cut':
    case 'heal':
      return [...new Set(event.links.flatMap(([from, to]) => [from, to]))];
    case 'lose':
    case 'duplicate':
    case 'hold':
    case 'delay':
    case 'act':
    case 'wait':
      return [];
    default:
      return [event.process];
  }
}
