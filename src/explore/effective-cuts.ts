import type { Deliver, Event, ExternalEvent } from '../trace/event.ts';
import type { Session } from '../kernel/ports.ts';

/**
 * How many cuts had an effect: something was on its way over one of the links, or set out, while it was cut. A cut over
 * which nothing was ever sent tested nothing.
 */
export function effectiveCuts(session: Session, events: readonly Event[]): number {
  const messages = messagesOf(session, events);
  return events.filter((event, at) => event.kind === 'cut' && hadEffect(event, at, events, messages)).length;
}

/** A message, from the event that sent it to the one that delivered or dropped it. */
interface Journey {
  readonly link: string;
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
  link: linkOf(from, process),
  sent: cause,
  ended,
});

const linkOf = (from: string, to: string): string => `${from} → ${to}`;

type Cut = Extract<ExternalEvent, { kind: 'cut' | 'heal' }>;

function hadEffect(cut: Cut, at: number, events: readonly Event[], messages: readonly Journey[]): boolean {
  const links = new Set(cut.links.map(([from, to]) => linkOf(from, to)));
  const healed = events.findIndex((event, later) => later > at && event.kind === 'heal' && heals(event, links));
  const until = healed < 0 ? events.length : healed;
  return messages.some(({ link, sent, ended }) => (links.size === 0 || links.has(link)) && sent < until && ended >= at);
}

const heals = ({ links }: Cut, cut: ReadonlySet<string>): boolean =>
  links.length === 0 || links.some(([from, to]) => cut.has(linkOf(from, to)));
