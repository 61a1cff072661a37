import { ENVIRONMENT, type Deliver, type Event, type Return } from '../trace/event.ts';
import type { Session } from '../kernel/ports.ts';

/** A message, from the event that sent it to the event that delivered it, dropped it or sent it back. */
export interface MessageLifetime {
  readonly from: string;
  readonly to: string;
  /** Undefined for the default lane. */
  readonly lane?: string | undefined;
  readonly sent: number;
  readonly ended: number;
}

/** The messages of an execution that has ended, except those to processes that never existed. */
export function messageLifetimes(session: Session, events: readonly Event[]): MessageLifetime[] {
  const seen = new Set(events.map(({ process }) => process));
  const happened = events.flatMap((event, at) => lifetimesOf(event, at, events));
  const pending = session.world.pending.flatMap((event) => lifetimesOf(event, events.length, events));
  const dropped = session.recording.notes
    .since(0)
    .flatMap((note) => (note.kind === 'dropped' ? lifetimesOf(note.message, note.event, events) : []));
  return [...happened, ...pending, ...dropped].filter(({ to }) => seen.has(to));
}

function lifetimesOf(event: Event, ended: number, events: readonly Event[]): MessageLifetime[] {
  if (event.kind === 'deliver') return [oneWay(event, ended)];
  return event.kind === 'return' ? thereAndBack(event, ended, events) : [];
}

const oneWay = ({ from, process, cause, lane }: Deliver, ended: number): MessageLifetime => ({
  from,
  to: process,
  lane,
  sent: cause,
  ended,
});

/** A message that comes back travels over no link. */
function thereAndBack({ process, to, cause }: Return, ended: number, events: readonly Event[]): MessageLifetime[] {
  const turned = turnedAt(to, cause, events);
  return [
    { from: process, to, sent: cause, ended: turned },
    { from: ENVIRONMENT, to: process, sent: turned, ended },
  ];
}

/** The event at which a message turned back: its sending if the receiver did not exist, or else the stop of the receiver. */
function turnedAt(to: string, sent: number, events: readonly Event[]): number {
  const last = events.findLast((event, at) => at <= sent && event.process === to && (begins(event) || ends(event)));
  const exists = last === undefined ? hasJoined(to, sent, events) : begins(last);
  if (!exists) return sent;
  return events.findIndex((event, at) => at > sent && event.process === to && event.kind === 'stop');
}

export const begins = ({ kind }: Event): boolean => kind === 'start' || kind === 'restart' || kind === 'spawn';

const ends = ({ kind }: Event): boolean => kind === 'crash' || kind === 'stop';

/**
 * Whether a process exists at an event. Declared processes exist from the beginning, spawned ones from the request,
 * others from their start.
 */
export function hasJoined(name: string, when: number, events: readonly Event[]): boolean {
  const at = events.findIndex((event) => event.process === name);
  const first = events[at];
  if (first?.kind === 'start') return first.of === undefined || at <= when;
  return first?.kind === 'spawn' && first.cause <= when;
}
