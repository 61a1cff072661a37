import type { Session, Timing, Transport } from 'culprit/kernel';
import type { Deliver, Event, External, Internal, Link } from 'culprit/trace';
import { ENVIRONMENT, hex } from 'culprit/trace';

/**
 * Equivalence of executions, defined directly: two executions are equivalent if every process saw the same events in
 * the same order, the environment did the same in the same relation to the deliveries on each link, the same messages
 * were lost and are still under way, and copies of messages took the same places in their queues. Two executions are
 * equivalent exactly if these texts are equal.
 */
export function equivalenceClass({ session, copies }: Node, transport: Transport, timing: Timing): string {
  const view = new Projections(timing);
  for (const event of session.recording.events.since(0)) view.see(event);
  return JSON.stringify([
    view.lines(),
    messagesLost(session),
    messagesLeft(session, transport),
    transport.order === 'fifo' ? copies : [],
  ]);
}

/** What each process, each link and the environment saw of an execution. */
class Projections {
  private readonly seen = new Map<string, string[]>();
  private readonly cuts = new Set<string>();
  private readonly outside: string[] = [];
  private readonly names: string[] = [];
  private nowMs = 0;

  constructor(private readonly timing: Timing) {}

  /** The order of externals counts only if a process or a link can distinguish it. */
  lines(): string[] {
    const lines = [...this.seen].map(([who, what]) => `${who}: ${what.join(' ')}`);
    return [...lines.sort(), ...this.outside.toSorted()];
  }

  see(event: Event): void {
    if (event.kind === 'fire' || (event.kind === 'complete' && event.operation === 'sleep')) {
      this.nowMs = Math.max(this.nowMs, event.deadlineMs);
    }
    if (event.kind === 'deliver' && event.from !== ENVIRONMENT) {
      this.note(channelOf(event), 'deliver');
      if (event.lane !== undefined) this.note(`link of ${channelOf(event)}`, 'deliver');
    }
    if (event.kind === 'cut' || event.kind === 'heal') this.turn(event.links, event.kind);
    if (event.process === ENVIRONMENT) this.outside.push(hex(event));
    else this.note(event.process, this.timing === 'any' ? hex(event) : `${hex(event)} at ${this.nowMs}`);
    if (event.kind === 'start') this.names.push(event.process);
  }

  private note(who: string, what: string): void {
    this.seen.set(who, [...(this.seen.get(who) ?? []), what]);
  }

  /** Cutting a cut link changes nothing, so its time does not count. */
  private turn(links: readonly Link[], kind: 'cut' | 'heal'): void {
    const all = this.names.flatMap((from) => this.names.filter((to) => to !== from).map((to): Link => [from, to]));
    const named = (links.length > 0 ? links : all).map(linkOf);
    for (const link of links.length === 0 && kind === 'heal' ? [...this.cuts] : named) {
      if (this.cuts.has(link) === (kind === 'cut')) continue;
      this.note(link, kind);
      // A cut of a lane and one of its link are independent, but deliveries on the lane come before or after either.
      if (!link.includes(`> ${LANE}`)) this.note(`link of ${link} > ${LANE}`, kind);
      if (kind === 'cut') this.cuts.add(link);
      else this.cuts.delete(link);
    }
  }
}

/** The only lane besides the default one. */
export const LANE = 'lane';

const linkOf = (link: Link): string => link.join(' > ');

const channelOf = ({ from, process, lane }: Deliver): string =>
  linkOf(lane === undefined ? [from, process] : [from, process, lane]);

/** Regardless of which of two causes took them. */
const messagesLost = ({ recording }: Session): string[] =>
  recording.notes
    .since(0)
    .flatMap((note) => (note.kind === 'dropped' ? [hex(note.message)] : []))
    .sort();

/** The queue of each link; without an order if the transport has none. */
function messagesLeft({ world }: Session, { order }: Transport): string[] {
  const queues = new Map<string, string[]>();
  for (const event of world.pending) {
    if (event.kind !== 'deliver' && event.kind !== 'return') continue;
    const ordered = order === 'fifo' && event.kind === 'deliver' && event.from !== ENVIRONMENT;
    const link = ordered ? channelOf(event) : hex(event);
    queues.set(link, [...(queues.get(link) ?? []), hex(event)]);
  }
  return [...queues].map(([link, queue]) => `${link}: ${queue.join(' ')}`).sort();
}

/** An execution, and the remaining externals: each external once, and this many lost or duplicated messages. */
export interface Node {
  readonly session: Session;
  readonly externals: readonly External[];
  readonly tampering: number;
  /** The message behind which each copy was put. */
  readonly copies: readonly string[];
}

export const root = (session: Session, externals: readonly External[], tampering = 0): Node => ({
  session,
  externals,
  tampering,
  copies: [],
});

/** Every interleaving, with every prefix, up to this many executions. Only for worlds that fork. */
export function* interleavings(from: Node, most: number): Generator<Node> {
  const open = [from];
  let seen = 0;
  for (let node = open.shift(); node !== undefined && seen < most; node = open.shift()) {
    seen += 1;
    yield node;
    open.push(...successors(node));
  }
}

export function successors(node: Node): Node[] {
  const { session, externals, tampering } = node;
  const inside = session.enabled.map((event): Node => ({ ...node, session: after(session, event) }));
  const outside = externals
    .map((external, at) => ({ external, rest: externals.toSpliced(at, 1) }))
    .filter(({ external }) => session.refusal(external) === undefined)
    .map(({ external, rest }): Node => ({ ...node, session: after(session, external), externals: rest }));
  const messages = tampering === 0 ? [] : session.enabled.filter((event) => event.kind === 'deliver');
  return [...inside, ...outside, ...messages.flatMap((message) => tampered(node, message))];
}

/** A message is lost, or copied to the end of its channel. */
function tampered(node: Node, message: Deliver): Node[] {
  const { session, copies, tampering } = node;
  const target = hex(message);
  const rest = { ...node, tampering: tampering - 1 };
  const queue = session.world.pending.filter(
    (other) => other.kind === 'deliver' && channelOf(other) === channelOf(message),
  );
  const place = message.from === ENVIRONMENT ? [] : [`${target} behind ${queue.map(hex).at(-1)}`];
  return [
    { ...rest, session: after(session, { kind: 'lose', target }) },
    { ...rest, session: after(session, { kind: 'duplicate', target }), copies: [...copies, ...place] },
  ];
}

/** The execution with one more event; the argument stays unchanged. */
export function after(session: Session, ...events: readonly (Internal | External)[]): Session {
  const copy = session.fork?.();
  if (copy === undefined) throw new Error('only worlds that fork');
  for (const event of events) {
    const pending = copy.perform(event);
    if (pending !== undefined) throw new Error('only synchronous systems');
  }
  return copy;
}
