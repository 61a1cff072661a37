import type { Deliver, Event, ExternalEvent } from '../trace/event.ts';
import type { Session } from '../kernel/ports.ts';

/** What the environment does to break things, or to mend them. */
type FaultKind = 'cut' | 'crash' | 'stop' | 'restart' | 'lose' | 'duplicate';

/** A fault of an execution, and whether it made a difference: one that did not has tested nothing. */
export interface FaultEffect {
  readonly kind: FaultKind;
  readonly hadEffect: boolean;
}

/** The faults of an execution that has ended, in order. */
export function faultEffects(session: Session, events: readonly Event[]): FaultEffect[] {
  const faults = events.flatMap((event, at) => (isFault(event) ? [{ event, at }] : []));
  if (faults.length === 0) return [];
  const messages = messagesOf(session, events);
  return faults.map(({ event, at }) => ({ kind: event.kind, hadEffect: hadEffect(event, at, events, messages) }));
}

type Fault = ExternalEvent & { readonly kind: FaultKind };

const isFault = (event: Event): event is Fault => kinds.has(event.kind);

const kinds: ReadonlySet<string> = new Set<FaultKind>(['cut', 'crash', 'stop', 'restart', 'lose', 'duplicate']);

function hadEffect(fault: Fault, at: number, events: readonly Event[], messages: readonly Journey[]): boolean {
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

/** A message, from the event that sent it to the one that delivered or dropped it. */
interface Journey {
  readonly from: string;
  readonly to: string;
  readonly sent: number;
  readonly ended: number;
}

function messagesOf(session: Session, events: readonly Event[]): Journey[] {
  const delivered = events.flatMap((event, at) => (event.kind === 'deliver' ? [journey(event, at)] : []));
  const pending = session.world.pending.flatMap((event) =>
    event.kind === 'deliver' ? [journey(event, events.length)] : [],
  );
  const dropped = session.recording.notes
    .since(0)
    .flatMap((note) => (note.kind === 'dropped' ? [journey(note.message, note.event)] : []));
  return [...delivered, ...pending, ...dropped];
}

const journey = ({ from, process, cause }: Deliver, ended: number): Journey => ({
  from,
  to: process,
  sent: cause,
  ended,
});

type Cut = Extract<ExternalEvent, { kind: 'cut' | 'heal' }>;

/** Something was on its way over one of the links, or set out, while it was cut. */
function cutHadEffect(cut: Cut, at: number, events: readonly Event[], messages: readonly Journey[]): boolean {
  const links = new Set(cut.links.map(([from, to]) => linkOf(from, to)));
  const healed = events.findIndex((event, later) => later > at && event.kind === 'heal' && heals(event, links));
  const isOn = ({ from, to }: Journey): boolean => links.size === 0 || links.has(linkOf(from, to));
  return messages.some((message) => isOn(message) && isUnderWay(message, at, healed, events));
}

/** The process had done more than start, so that something was lost; or a message for it was on its way, or came, while it was down. */
function crashHadEffect(name: string, at: number, events: readonly Event[], messages: readonly Journey[]): boolean {
  const isOfIt = ({ process }: Event): boolean => process === name;
  const lastStart = events.findLastIndex((event, before) => before < at && isOfIt(event) && begins(event));
  if (events.slice(lastStart + 1, at).some(isOfIt)) return true;
  const restarted = events.findIndex((event, later) => later > at && isOfIt(event) && event.kind === 'restart');
  return messages.some((message) => message.to === name && isUnderWay(message, at, restarted, events));
}

const begins = ({ kind }: Event): boolean => kind === 'start' || kind === 'restart' || kind === 'spawn';

/** Whether it travelled at some moment between the two events; a negative end is none. */
const isUnderWay = ({ sent, ended }: Journey, from: number, to: number, events: readonly Event[]): boolean =>
  sent < (to < 0 ? events.length : to) && ended >= from;

const linkOf = (from: string, to: string): string => `${from} → ${to}`;

const heals = ({ links }: Cut, cut: ReadonlySet<string>): boolean =>
  links.length === 0 || links.some(([from, to]) => cut.has(linkOf(from, to)));
