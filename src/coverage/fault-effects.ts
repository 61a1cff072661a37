import type { Event, ExternalEvent } from '../trace/event.ts';
import type { Session } from '../kernel/ports.ts';
import { begins, hasJoined, messageLifetimes, type MessageLifetime } from './message-lifetimes.ts';

/** The faults, and the events that repair them. */
type FaultKind = 'cut' | 'crash' | 'stop' | 'restart' | 'lose' | 'duplicate';

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
  return faults.map(({ event, at }) => ({ kind: event.kind, hadEffect: hadEffect(event, at, events, messages) }));
}

type Fault = ExternalEvent & { readonly kind: FaultKind };

const isFault = (event: Event): event is Fault => kinds.has(event.kind);

const kinds: ReadonlySet<string> = new Set<FaultKind>(['cut', 'crash', 'stop', 'restart', 'lose', 'duplicate']);

function hadEffect(fault: Fault, at: number, events: readonly Event[], messages: readonly MessageLifetime[]): boolean {
  switch (fault.kind) {
    case 'cut':
      return cutHadEffect(fault, at, events, messages);
    case 'crash':
    case 'stop':
      return crashHadEffect(fault.process, at, events, messages);
    case 'restart':
      return events.some(({ process }, later) => later > at && process === fault.process);
    case 'duplicate':
      return events.some(({ kind, cause }) => kind === 'deliver' && cause === at);
    case 'lose':
      return true;
  }
}

type CutFault = Extract<ExternalEvent, { kind: 'cut' | 'heal' }>;

/** Whether a message was in flight on a link that this event cut, or was sent before the link was healed. */
function cutHadEffect(
  cut: CutFault,
  at: number,
  events: readonly Event[],
  messages: readonly MessageLifetime[],
): boolean {
  const turns = events.flatMap((event, when) => (isCut(event) ? [{ event, when }] : []));
  return messages.some((message) => {
    const isOn = ({ event, when }: (typeof turns)[number]): boolean => concerns(event, when, message, events);
    if (!isOn({ event: cut, when: at })) return false;
    if (turns.findLast((turn) => turn.when < at && isOn(turn))?.event.kind === 'cut') return false;
    const healed = turns.find((turn) => turn.when > at && turn.event.kind === 'heal' && isOn(turn));
    return isInFlight(message, at, healed?.when ?? events.length);
  });
}

const isCut = (event: Event): event is CutFault => event.kind === 'cut' || event.kind === 'heal';

/**
 * Whether the event cuts or heals the link of a message. Without links, it concerns all cut links, or all links between
 * processes that exist.
 */
function concerns(
  { kind, links }: CutFault,
  when: number,
  { from, to }: MessageLifetime,
  events: readonly Event[],
): boolean {
  if (links.length > 0) return links.some((link) => link[0] === from && link[1] === to);
  if (kind === 'heal') return true;
  return from !== to && [from, to].every((name) => hasJoined(name, when, events));
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

/** Whether a message was in flight at some moment between the two events. */
const isInFlight = ({ sent, ended }: MessageLifetime, from: number, until: number): boolean =>
  sent < until && ended >= from;
