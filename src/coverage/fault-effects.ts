import { hex } from '../trace/digest.ts';
import { isInternal, type Event, type ExternalEvent } from '../trace/event.ts';
import type { Session } from '../kernel/ports.ts';
import { CUT_OFF } from '../kernel/recording.ts';
import { begins, hasJoined, messageLifetimes, type MessageLifetime } from './message-lifetimes.ts';

/** The faults, and the events that repair them. */
type FaultKind = 'cut' | 'crash' | 'stop' | 'restart' | 'lose' | 'duplicate' | 'hold' | 'delay' | 'pause';

/** A fault, and whether it had an effect: without one, it has tested nothing. */
export interface FaultEffect {
  readonly kind: FaultKind;
  readonly hadEffect: boolean;
}

/** The faults of an execution that has ended, in order. */
export function faultEffects(session: Session, events: readonly Event[]): FaultEffect[] {
  const faults = events.flatMap((event, at) => (isFault(event) ? [{ event, at }] : []));
  if (faults.length === 0) return [];
  const messages = messageLifetimes(session, events);
  return faults.map(({ event, at }) => ({
    kind: event.kind,
    hadEffect: hadEffect(event, at, events, messages) || (event.kind === 'cut' && cutOffBytes(event, at, session)),
  }));
}

/** Whether the cut stopped something that is no message, such as the bytes of a connection that is passed through. */
const cutOffBytes = ({ links }: CutFault, at: number, { recording }: Session): boolean =>
  recording.notes
    .since(0)
    .some(
      (note) =>
        note.kind === 'observed' &&
        note.what === CUT_OFF &&
        note.event >= at &&
        (links.length === 0 || links.some(([from]) => from === note.process)),
    );

type Fault = ExternalEvent & { readonly kind: FaultKind };

const isFault = (event: Event): event is Fault => isFaultKind(event.kind);

export const isFaultKind = (kind: Event['kind']): boolean => kinds.has(kind);

const kinds: ReadonlySet<string> = new Set<FaultKind>([
  'cut',
  'crash',
  'stop',
  'restart',
  'lose',
  'duplicate',
  'hold',
  'delay',
  'pause',
]);

function hadEffect(fault: Fault, at: number, events: readonly Event[], messages: readonly MessageLifetime[]): boolean {
  switch (fault.kind) {
    case 'cut':
      return madeAnArrival(at, events) || cutHadEffect(fault, at, events, messages);
    case 'crash':
    case 'stop':
      return crashHadEffect(fault.process, at, events, messages);
    case 'restart':
      return events.some(({ process }, later) => later > at && process === fault.process);
    case 'pause':
      return pauseHadEffect(fault.process, at, events, messages);
    case 'duplicate':
      return madeAnArrival(at, events);
    case 'lose':
      return true;
    case 'delay':
      return isOvertaken(fault.target, at, events);
    case 'hold':
      // The message waited until the event happened.
      return events.some((event, later) => later > at && hex(event) === fault.until);
  }
}

/** Whether a message that the event itself made has arrived: a duplicate, or a report on the link. */
const madeAnArrival = (at: number, events: readonly Event[]): boolean =>
  events.some(({ kind, cause }) => kind === 'deliver' && cause === at);

/** Whether something happened before the message that the event delays was delivered. */
function isOvertaken(target: string, at: number, events: readonly Event[]): boolean {
  const delivered = events.findIndex((event, later) => later > at && hex(event) === target);
  return (delivered < 0 ? events.length : delivered) > at + 1;
}

type CutFault = Extract<ExternalEvent, { kind: 'cut' | 'heal' }>;

/** Whether a message was in flight on a link or lane that this event cut, or was sent before that was healed. */
function cutHadEffect(
  cut: CutFault,
  at: number,
  events: readonly Event[],
  messages: readonly MessageLifetime[],
): boolean {
  const turns = events.flatMap((event, when) => (isCut(event) ? [{ event, when }] : []));
  return messages.some((message) => {
    const parts = partsOf(cut, at, message, events);
    if (parts.length === 0) return false;
    const isTurned = ({ event, when }: Turn, part: 'link' | 'lane'): boolean =>
      partsOf(event, when, message, events).includes(part);
    const before = turns.filter(({ when }) => when < at);
    const isCutAlready = (['link', 'lane'] as const).some(
      (part) => before.findLast((turn) => isTurned(turn, part))?.event.kind === 'cut',
    );
    if (isCutAlready) return false;
    const healed = turns.find(
      (turn) => turn.when > at && turn.event.kind === 'heal' && parts.every((part) => isTurned(turn, part)),
    );
    return isInFlight(message, at, healed?.when ?? events.length);
  });
}

interface Turn {
  readonly event: CutFault;
  readonly when: number;
}

const isCut = (event: Event): event is CutFault => event.kind === 'cut' || event.kind === 'heal';

/**
 * What of the way of a message the event cuts or heals: its link, its lane, or neither. Without links, it cuts all links between
 * processes that exist, or heals everything.
 */
function partsOf(
  { kind, links }: CutFault,
  when: number,
  { from, to, lane }: MessageLifetime,
  events: readonly Event[],
): ('link' | 'lane')[] {
  if (links.length > 0) {
    const named = links.filter((link) => link[0] === from && link[1] === to).map((link) => link[2]);
    return [
      ...(named.includes(undefined) ? ['link' as const] : []),
      ...(lane !== undefined && named.includes(lane) ? ['lane' as const] : []),
    ];
  }
  if (kind === 'heal') return ['link', 'lane'];
  return from !== to && [from, to].every((name) => hasJoined(name, when, events)) ? ['link'] : [];
}

/** Whether the process had done more than start, so that state was lost, or a message for it was in flight while it was down. */
function crashHadEffect(
  name: string,
  at: number,
  events: readonly Event[],
  messages: readonly MessageLifetime[],
): boolean {
  const isOfIt = ({ process }: Event): boolean => process === name;
  const lastStart = events.findLastIndex((event, before) => before < at && isOfIt(event) && begins(event));
  if (events.slice(lastStart + 1, at).some(isOfIt)) return true;
  const restarted = events.findIndex((event, later) => later > at && isOfIt(event) && event.kind === 'restart');
  const until = restarted < 0 ? events.length : restarted;
  return messages.some((message) => message.to === name && isInFlight(message, at, until));
}

/**
 * Whether other events happened while the process was paused, and something waited for it: a message was in flight to it, or it had an
 * event of its own afterward.
 */
function pauseHadEffect(
  name: string,
  at: number,
  events: readonly Event[],
  messages: readonly MessageLifetime[],
): boolean {
  const isOfIt = ({ process }: Event): boolean => process === name;
  const next = events.findIndex((event, later) => later > at && isOfIt(event));
  const until = next < 0 ? events.length : next;
  if (until === at + 1) return false;
  const isInternalOfIt = (event: Event, later: number): boolean => later > until && isOfIt(event) && isInternal(event);
  const isResumed = events[until]?.kind === 'resume';
  return (
    (isResumed && events.some(isInternalOfIt)) ||
    messages.some((message) => message.to === name && isInFlight(message, at, until))
  );
}

/** Whether a message was in flight at some moment between the two events. */
const isInFlight = ({ sent, ended }: MessageLifetime, from: number, until: number): boolean =>
  sent < until && ended >= from;
