import { DataDigest } from '../../trace/data-digest.ts';
import { hex, sameDigest } from '../../trace/digest.ts';
import type { Internal } from '../../trace/event.ts';
import { dataOf, isSameChannel, isWrite, laneOf, peerOf, typeOf } from '../../trace/event-subject.ts';

/**
 * Which events may stand in for a missing one. `content`: one with equal content. `type`: one of the same type, between
 * the same processes. `place`: any event of the same kind on the same channel, or any timer of the process.
 */
export type Likeness = 'content' | 'type' | 'place';

/** The relevant content of a message, as plain data: messages of equal content can stand in for one another. */
export type ContentOf = (message: unknown) => unknown;

/** Finds stand-ins for events. */
export class Matcher {
  /** Contents are read once: a replay asks about the same events at every external. */
  private readonly keys = new WeakMap<Internal, string>();

  constructor(
    private readonly contentOf: ContentOf,
    /** Whether the value counts that was written. */
    private readonly comparesWrites = true,
  ) {}

  /**
   * Where events appear by themselves, a write is known by its key: the value may have been computed from times, and from what is not
   * compared.
   */
  static ofLive(contentOf: ContentOf): Matcher {
    return new Matcher(contentOf, false);
  }

  /** The event itself; or all that are sufficiently alike, the closest first, and of equally close ones the youngest. */
  find(events: readonly Internal[], wanted: Internal, likeness: Likeness): readonly Internal[] {
    // Looked for first: comparing contents takes long, and where many messages wait, most of them are like the wanted one.
    const itself = events.find((event) => sameDigest(event, wanted) && isSameChannel(event, wanted));
    if (itself !== undefined) return [itself];
    const found: { readonly event: Internal; readonly closeness: number }[] = [];
    for (const event of events) {
      if (!isSameChannel(event, wanted)) continue;
      const closeness = this.closeness(event, wanted);
      if (closeness >= NEEDED[likeness]) found.unshift({ event, closeness });
    }
    return found.sort((one, other) => other.closeness - one.closeness).map(({ event }) => event);
  }

  /**
   * All possible stand-ins in the order in which DEMi tries them: the event itself or one of equal content, then the
   * oldest of the others, then the youngest and so on backwards. Of messages with equal content, one only.
   */
  findAll(events: readonly Internal[], wanted: Internal, likeness: Likeness): readonly Internal[] {
    const there = events.filter((event) => isSameChannel(event, wanted)).sort(byAge);
    const itself = there.filter((event) => sameDigest(event, wanted));
    const isLike = (event: Internal, needed: Likeness): boolean => this.closeness(event, wanted) >= NEEDED[needed];
    const same = there.filter((event) => !itself.includes(event) && isLike(event, 'content'));
    const [oldest, ...younger] = there.filter((event) => !isLike(event, 'content') && isLike(event, likeness));
    const others = oldest === undefined ? [] : [oldest, ...younger.reverse()];
    return [...itself, ...same, ...others].filter(
      (event, at, all) => !all.slice(0, at).some((earlier) => this.haveEqualContent(earlier, event)),
    );
  }

  /** Equal for two events of one channel that are alike by `content`. */
  keyOf(event: Internal): string {
    const known = this.keys.get(event);
    if (known !== undefined) return known;
    const channel = [event.kind, event.process, peerOf(event), laneOf(event), typeOf(event)];
    const key = JSON.stringify([...channel, ...partsOf(this.content(event))]);
    this.keys.set(event, key);
    return key;
  }

  private haveEqualContent(one: Internal, other: Internal): boolean {
    return isPlain(one) && isPlain(other) && this.closeness(one, other) >= NEEDED.content;
  }

  /** From 0 for another type to 2 for equal content. */
  closeness(event: Internal, wanted: Internal): number {
    if (typeOf(event) !== typeOf(wanted)) return NEEDED.place;
    return NEEDED.type + equalParts(this.content(event), this.content(wanted));
  }

  private content(event: Internal): unknown {
    if ('message' in event) return this.contentOf(event.message);
    return this.comparesWrites || !isWrite(event) ? dataOf(event) : undefined;
  }
}

/** Older events come first: those that were sent, set or requested earlier. */
const byAge = (one: Internal, other: Internal): number => one.cause - other.cause || (one.nth ?? 0) - (other.nth ?? 0);

/** Whether it is a message that neither asks nor answers. Of asks and answers, the identity matters. */
const isPlain = (event: Internal): boolean => event.kind === 'deliver' && event.ask === 0 && event.reply === 0;

/** The closeness that each likeness requires. */
const NEEDED: Readonly<Record<Likeness, number>> = { place: 0, type: 1, content: 2 };

/** The fraction of equal fields. */
function equalParts(one: unknown, other: unknown): number {
  if (!isRecord(one) || !isRecord(other)) return sameData(one, other) ? 1 : 0;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  if (names.length === 0) return 1;
  return names.filter((name) => sameData(one[name], other[name])).length / names.length;
}

/** Equal for contents of which all parts are equal; a field without a value is as good as none. */
function partsOf(content: unknown): readonly string[] {
  if (!isRecord(content)) return [digestOf(content)];
  const fields = Object.entries(content).filter(([, value]) => value !== undefined);
  return fields.map(([name, value]) => `${name} ${digestOf(value)}`).toSorted();
}

const digestOf = (value: unknown): string => hex(new DataDigest().data(value));

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const sameData = (one: unknown, other: unknown): boolean =>
  one === other || sameDigest(new DataDigest().data(one), new DataDigest().data(other));
