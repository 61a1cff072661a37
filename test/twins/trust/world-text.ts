import { crash, restart } from 'culprit';
import type { Declaration, ProcessView, Session, World } from 'culprit/kernel';
import { ENVIRONMENT, type Event, type Internal } from 'culprit/trace';
import { dataText } from './data-text.ts';

/**
 * Everything of a world that a handler, an invariant or the transport can still see. For a process in `withPast`, whose
 * suspended code cannot be inspected, it is the sequence of its events, which determines that code.
 */
export function worldText(session: Session, declared: readonly string[], withPast: ReadonlySet<string>): string {
  const { world } = session;
  const names = namesIn(session, declared);
  const processes = names.map((name) => {
    const past = withPast.has(roleOf(name)) ? pastText(session, name) : '';
    return `${name} ${statusText(session, name)} ${viewText(world.process(name))} ${past}`;
  });
  return [...processes, linksText(world), ...heldTexts(world), ...pendingTexts(world)].join('\n');
}

/** Whether the messages of a channel keep their order. */
type IsOrdered = (event: Internal) => boolean;

/** By the rule of the lane, of the link, or of the system. */
export const isOrderedIn =
  ({ transport, links = [] }: Pick<Declaration, 'transport' | 'links'>): IsOrdered =>
  (event) => {
    if (event.kind !== 'deliver') return transport.order === 'fifo';
    // A report on a link.
    if (event.from === ENVIRONMENT && event.lane !== undefined) return true;
    const ends = [event.from, event.process].toSorted().join();
    const ofLink = links.filter(({ between }) => between.toSorted().join() === ends);
    const ofLane = event.lane === undefined ? undefined : ofLink.find(({ lane }) => lane === event.lane)?.order;
    const order = ofLane ?? ofLink.find(({ lane }) => lane === undefined)?.order ?? transport.order;
    return order === 'fifo';
  };

/** A message may be equal to others: its place tells them apart. */
const heldTexts = ({ heldBack, pending }: World): string[] => {
  const text = (event: Internal): string => `${laneOf(event)} ${eventText(event)} ${pending.indexOf(event)}`;
  return heldBack.map(({ message, until }) => `held ${text(message)} until ${text(until)}`).toSorted();
};

/**
 * The same of a final world: its pending events stay pending. If messages are unordered, the order of their list means
 * nothing.
 */
export const endText = (world: World, names: readonly string[], isOrdered: IsOrdered): string => {
  const processes = names.map((name) => `${name} ${viewText(world.process(name))}`);
  return [...processes, linksText(world), ...pendingTexts(world, isOrdered)].join('\n');
};

/** The declared processes, and those that were spawned. */
export function namesIn({ world, recording }: Session, declared: readonly string[]): string[] {
  const begun = recording.events.since(0).filter(({ kind }) => kind === 'spawn');
  const unborn = world.pending.filter(({ kind }) => kind === 'spawn');
  return [...new Set([...declared, ...[...begun, ...unborn].map(({ process }) => process).toSorted()])];
}

/** A spawned process has the role of its kind. */
const roleOf = (name: string): string => (name.includes('/') ? 'worker' : name);

const viewText = ({ up, state, restarts, disk }: ProcessView): string => {
  const durable = [...disk].map(([key, value]) => `${key}=${dataText(value)}`).toSorted();
  return `${up ? 'up' : 'down'} ${restarts} ${dataText(state)} ${durable.join()}`;
};

/** Distinguishes starting, crashed and stopped processes. */
const statusText = (session: Session, name: string): string =>
  `${session.refusal(crash(name)) ?? ''}/${session.refusal(restart(name)) ?? ''}`;

const linksText = ({ cutLinks }: World): string =>
  `cut ${cutLinks
    .map((link) => link.join('>'))
    .toSorted()
    .join()}`;

/** In the order of the world's lists: on one channel, or of one process, that is the order of sending. */
const pendingTexts = ({ pending }: World, isOrdered: IsOrdered = () => true): string[] => {
  const lanes = new Map<string, Internal[]>();
  for (const event of pending) {
    const lane = laneOf(event);
    lanes.set(lane, [...(lanes.get(lane) ?? []), event]);
  }
  const textOf = (events: readonly Internal[]): string => {
    const texts = events.map(eventText);
    return (isOrdered(events[0] as Internal) ? texts : texts.toSorted()).join(' ');
  };
  return [...lanes].map(([lane, events]) => `${lane} ${textOf(events)}`).toSorted();
};

function laneOf(event: Internal): string {
  switch (event.kind) {
    case 'deliver':
      return `to ${event.process} from ${event.from} ${event.lane ?? ''}`;
    // Each timer, and the requests for each key of a disk, are independent.
    case 'fire':
      return `timer ${event.process} ${event.timer}`;
    case 'complete':
      return `${event.operation} ${event.process} ${event.key} ${event.operation === 'sleep' ? event.request : ''}`;
    default:
      return `${event.kind} ${event.process}`;
  }
}

const pastText = ({ recording }: Session, name: string): string =>
  recording.events
    .since(0)
    .filter(({ process }) => process === name)
    .map(eventText)
    .join(' ');

/** The event, without its time and cause. */
export function eventText(event: Event | Internal): string {
  switch (event.kind) {
    case 'deliver':
      return `deliver(${event.from} ${dataText(event.message)} ${event.ask} ${event.reply})`;
    case 'return':
      return `return(${event.to} ${dataText(event.message)} ${event.ask})`;
    case 'fire':
      return `fire(${event.timer} ${event.everyMs})`;
    case 'complete':
      return `${event.operation}(${event.key} ${dataText(event.value)} ${event.request})`;
    case 'spawn':
      return `spawn(${event.of} ${dataText(event.args)})`;
    default:
      return event.kind;
  }
}
