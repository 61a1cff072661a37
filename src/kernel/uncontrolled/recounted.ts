import { mixHi, mixLo, sameDigest, type Digest } from '../../trace/digest.ts';
import { ENVIRONMENT, isInternal, type Event, type Internal } from '../../trace/event.ts';
import { processesOf } from '../../trace/event-subject.ts';
import { externalIdentity, sentIdentity } from '../external-events.ts';
import { reportIdentity } from '../network/link-reports.ts';
import { channelDigest, endsOf, NO_EXTERNAL, sinceExternals, type Fingerprint } from './identity.ts';

/** An external that touches processes, or the delivery of its message: events are counted from there on. */
interface Touch {
  readonly place: number;
  /** As recorded, and in a part of the recording. */
  readonly recorded: Digest;
  readonly now: Digest;
  readonly isKept: boolean;
}

/** So many of the last touches of a process are tried, and so many numbers: what is not explained by these keeps its name. */
const TOUCHES_MAX = 16;
const ORDINALS_MAX = 100;

/** After so many events whose names cannot be explained, and none that can, no other is tried. */
const UNEXPLAINED_MAX = 50;

/** So many messages of one kind may have been lost on a channel; with more, later ones keep their names. */
const LOST_MAX = 16;

/** How the name of a recorded event came about. */
interface Window {
  readonly channel: Digest;
  /** The last touches of the process that made it, and of the one at which it happens; -1 for none. */
  readonly maker: number;
  readonly receiver: number;
  /** How many events had the same name but for their number. */
  readonly ordinal: number;
  /** Its index in the recording. */
  readonly place: number;
}

/** Indices of the first event that a process made after a touch, and of the first one that is part of the schedule. */
interface Makings {
  readonly all: number;
  readonly kept: number;
}

/**
 * The names that the events of a part of a recording have when that part is executed. A name counts from the last external that
 * touched the channel (see `ChannelIdentities`): without that external, from the one before. An event whose name cannot be explained
 * keeps it.
 */
export function recounted(
  recording: readonly Event[],
  part: readonly Event[],
  fingerprint: Fingerprint,
  /** Events that appear in the part and do not happen: they never did in the recording, or the part leaves them out. They have names, too. */
  undelivered: readonly Internal[] = [],
): Recounted {
  if (part.length === recording.length) return { events: part, undelivered };
  const known = renamedParts.get(part);
  if (known?.recording === recording && known.fingerprint === fingerprint) return known.renamed;
  const recount = new Recount(recording, part, undelivered, fingerprint);
  const renamed = { events: recount.renamed(part), undelivered: recount.renamed(undelivered) };
  renamedParts.set(part, { recording, fingerprint, renamed });
  return renamed;
}

interface Recounted {
  readonly events: readonly Event[];
  readonly undelivered: readonly Internal[];
}

/** A part is replayed several times. */
const renamedParts = new WeakMap<
  readonly Event[],
  { readonly recording: readonly Event[]; readonly fingerprint: Fingerprint; readonly renamed: Recounted }
>();

class Recount {
  /** The part, and what appears in it and never happens. */
  private readonly part: readonly Event[];
  private readonly kept: ReadonlySet<Event>;
  private readonly touches = new Map<string, Touch[]>();
  private readonly windows = new Map<Event, Window>();
  /** For each process and each touch of it. */
  private readonly makings = new Map<string, Map<number, Makings>>();
  /** How many events count as equal to one, by channel. */
  private readonly alike = new Map<string, number>();
  private unexplained = 0;
  /** The new names. */
  private readonly names = new Map<Event, Digest>();

  constructor(
    private readonly recording: readonly Event[],
    part: readonly Event[],
    undelivered: readonly Internal[],
    private readonly fingerprint: Fingerprint,
  ) {
    const recorded = new Set<Event>(recording);
    // When those appeared that never happened is not recorded: it follows from their names.
    const all = [...recording, ...undelivered.filter((event) => !recorded.has(event))];
    this.part = [...part, ...undelivered];
    this.kept = new Set(this.part);
    this.nameExternals();
    for (const [place, event] of recording.entries()) this.noteTouch(event, place);
    for (const event of all) this.countAlike(event);
    for (const [place, event] of all.entries()) this.explain(event, place);
    this.number();
  }

  renamed<E extends Event>(events: readonly E[]): readonly E[] {
    return events.map((event) => {
      const name = this.names.get(event);
      return name === undefined ? event : { ...event, hi: name.hi, lo: name.lo };
    });
  }

  private countAlike(event: Event): void {
    if (!isInternal(event)) return;
    const key = keyOf(channelDigest(event, this.fingerprint));
    this.alike.set(key, (this.alike.get(key) ?? LOST_MAX) + 1);
  }

  /** Externals with equal contents are numbered: without one of them, those that follow have other numbers. */
  private nameExternals(): void {
    const counts = new Map<string, number>();
    for (const event of this.part) {
      if (isInternal(event)) continue;
      const content = externalIdentity(event);
      const key = keyOf(content);
      const before = counts.get(key) ?? 0;
      counts.set(key, before + 1);
      this.names.set(event, { hi: mixHi(content.hi, before), lo: mixLo(content.lo, before) });
    }
    for (const event of this.part) {
      const sent = isInternal(event) && event.kind === 'deliver' && event.from === ENVIRONMENT;
      const external = sent ? this.recording[event.cause] : undefined;
      const name = external && this.names.get(external);
      if (name === undefined || !sent) continue;
      this.names.set(event, event.lane === undefined ? sentIdentity(name) : reportIdentity(name, event));
    }
  }

  private noteTouch(event: Event, place: number): void {
    const isDelivery = event.kind === 'deliver' && event.from === ENVIRONMENT;
    if (event.kind === 'send' || (isInternal(event) && !isDelivery)) return;
    const touch = { place, recorded: event, now: this.names.get(event) ?? event, isKept: this.kept.has(event) };
    for (const process of isDelivery ? [event.process] : processesOf(event)) {
      const all = this.touches.get(process) ?? [];
      all.push(touch);
      this.touches.set(process, all);
    }
  }

  /** Finds out from which touches its name was counted: the last ones before it that give the recorded name. */
  private explain(event: Event, place: number): void {
    if (!isInternal(event) || event.kind !== 'deliver' || event.from === ENVIRONMENT || this.isHopeless) return;
    const channel = channelDigest(event, this.fingerprint);
    const [from, to] = endsOf(event);
    for (const maker of this.touchesBefore(from, place))
      for (const receiver of from === to ? [maker] : this.touchesBefore(to, place)) {
        const base = sinceExternals(channel, this.recordedTouch(from, maker), this.recordedTouch(to, receiver));
        const ordinal = ordinalOf(event, base, this.alike.get(keyOf(channel)) ?? 0);
        if (ordinal < 0) continue;
        this.windows.set(event, { channel, maker, receiver, ordinal, place });
        this.noteMaking(from, maker, place, this.kept.has(event));
        return;
      }
    this.unexplained += 1;
  }

  /** No name can be explained: the fingerprint is another one than that of the recording. */
  private get isHopeless(): boolean {
    return this.windows.size === 0 && this.unexplained > UNEXPLAINED_MAX;
  }

  private noteMaking(process: string, touch: number, place: number, isKept: boolean): void {
    const made = this.makings.get(process) ?? new Map<number, Makings>();
    const { all, kept } = made.get(touch) ?? { all: Infinity, kept: Infinity };
    made.set(touch, { all: Math.min(all, place), kept: isKept ? Math.min(kept, place) : kept });
    this.makings.set(process, made);
  }

  /** Indices of touches of a process, the last first; -1 for none. */
  private touchesBefore(process: string, place: number): readonly number[] {
    const all = this.touches.get(process) ?? [];
    let at = all.length - 1;
    while (at >= 0 && (all[at] as Touch).place >= place) at -= 1;
    const last = Array.from({ length: Math.min(at + 1, TOUCHES_MAX) }, (_, back) => at - back);
    return [...last, -1];
  }

  private recordedTouch(process: string, at: number): Digest {
    return this.touches.get(process)?.[at]?.recorded ?? NO_EXTERNAL;
  }

  /** Numbers the events that have the same name but for their number, in the order in which they were made. */
  private number(): void {
    const groups = new Map<string, { base: Digest; events: [Event, Window][] }>();
    for (const [event, window] of this.windows) {
      const [from, to] = endsOf(event as Internal);
      const maker = this.keptTouch(from, window.maker);
      const receiver = from === to ? maker : this.keptTouch(to, this.lastMaking(to, window.receiver, window.place));
      const base = sinceExternals(window.channel, maker, receiver);
      const group = groups.get(keyOf(base)) ?? { base, events: [] };
      groups.set(keyOf(base), group);
      group.events.push([event, window]);
    }
    for (const { base, events } of groups.values()) this.numberGroup(base, events);
  }

  /** A number that no recorded event has belongs to a message that was lost: it is made again, and counts. */
  private numberGroup(base: Digest, events: [Event, Window][]): void {
    const inOrder = events.sort(
      ([, one], [, other]) => one.maker - other.maker || one.receiver - other.receiver || one.ordinal - other.ordinal,
    );
    let next = 0;
    let before: Window | undefined;
    for (const [event, window] of inOrder) {
      const isSameWindow = before?.maker === window.maker && before.receiver === window.receiver;
      const lost = window.ordinal - (isSameWindow ? (before?.ordinal ?? 0) + 1 : 0);
      const ordinal = next + lost;
      if (this.kept.has(event)) this.names.set(event, { hi: mixHi(base.hi, ordinal), lo: mixLo(base.lo, ordinal) });
      next = this.kept.has(event) ? ordinal + 1 : ordinal;
      before = window;
    }
  }

  /** The touch, or the one before it that was not left out. */
  private keptTouch(process: string, from: number): Digest {
    const all = this.touches.get(process) ?? [];
    for (let at = from; at >= 0; at--) if (all[at]?.isKept === true) return (all[at] as Touch).now;
    return NO_EXTERNAL;
  }

  /**
   * A touch of the receiver counts from the first event on that the receiver makes afterward: without those events, the touch before
   * counts. Where the recording shows none, the receiver made something that was lost, and makes it again.
   */
  private lastMaking(process: string, from: number, place: number): number {
    for (let at = from; at >= 0; at--) {
      const made = this.makings.get(process)?.get(at);
      if (made !== undefined && made.kept < place) return at;
      if (at === from && (made === undefined || made.all > place)) return at;
    }
    return -1;
  }
}

const keyOf = ({ hi, lo }: Digest): string => `${hi} ${lo}`;

/** The number with which the name is that of the event; -1 if none gives it. */
function ordinalOf(event: Digest, base: Digest, most: number): number {
  for (let ordinal = 0; ordinal < Math.min(most, ORDINALS_MAX); ordinal++)
    if (sameDigest(event, { hi: mixHi(base.hi, ordinal), lo: mixLo(base.lo, ordinal) })) return ordinal;
  return -1;
}
