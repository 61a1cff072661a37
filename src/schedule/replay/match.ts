import { DataDigest } from '../../trace/data-digest.ts';
import { sameDigest } from '../../trace/digest.ts';
import type { Deliver, Internal, Return } from '../../trace/event.ts';
import { messageType } from '../../trace/message-type.ts';

/**
 * What may stand in for an event that is not there. `content`: one that says the same. `type`: one of the same type,
 * between the same processes. `place`: whatever is next there, from the same sender or by any timer of the process.
 */
export type Likeness = 'content' | 'type' | 'place';

/** What a message amounts to, as plain data: messages of equal contents can stand in for one another. */
export type ContentOf = (message: unknown) => unknown;

/** Finds what stands in for what. */
export class Matcher {
  constructor(private readonly contentOf: ContentOf) {}

  /** The event itself; or all that are like it enough, the most like it first, and of those the youngest. */
  find(events: readonly Internal[], wanted: Internal, likeness: Likeness): readonly Internal[] {
    // Looked for first: comparing contents takes long, and where many messages wait, most of them are like the wanted one.
    const itself = events.find((event) => sameDigest(event, wanted) && isSamePlace(event, wanted));
    if (itself !== undefined) return [itself];
    const found: { readonly event: Internal; readonly closeness: number }[] = [];
    for (const event of events) {
      if (!isSamePlace(event, wanted)) continue;
      const closeness = this.closeness(event, wanted);
      if (closeness >= NEEDED[likeness]) found.unshift({ event, closeness });
    }
    return found.sort((one, other) => other.closeness - one.closeness).map(({ event }) => event);
  }

  /**
   * All that could happen in its place, in the order in which DEMi tries them: the event itself, or one that says the same;
   * the oldest of the others; then the youngest of them, and so on backwards. Of messages that say the same only one.
   */
  findAll(events: readonly Internal[], wanted: Internal, likeness: Likeness): readonly Internal[] {
    const there = events.filter((event) => isSamePlace(event, wanted)).sort(byAge);
    const itself = there.filter((event) => sameDigest(event, wanted));
    const isLike = (event: Internal, needed: Likeness): boolean => this.closeness(event, wanted) >= NEEDED[needed];
    const same = there.filter((event) => !itself.includes(event) && isLike(event, 'content'));
    const [oldest, ...younger] = there.filter((event) => !isLike(event, 'content') && isLike(event, likeness));
    const others = oldest === undefined ? [] : [oldest, ...younger.reverse()];
    return [...itself, ...same, ...others].filter(
      (event, at, all) => !all.slice(0, at).some((earlier) => this.sayTheSame(earlier, event)),
    );
  }

  private sayTheSame(one: Internal, other: Internal): boolean {
    return isPlain(one) && isPlain(other) && this.closeness(one, other) >= NEEDED.content;
  }

  /** From 0, another type, to 2, all the same. */
  closeness(event: Internal, wanted: Internal): number {
    if (typeOf(event) !== typeOf(wanted)) return NEEDED.place;
    return NEEDED.type + equalParts(this.content(event), this.content(wanted));
  }

  private content(event: Internal): unknown {
    switch (event.kind) {
      case 'deliver':
      case 'return':
        return this.contentOf(event.message);
      case 'complete':
        return event.value;
      case 'spawn':
        return event.args;
      case 'fire':
        return undefined;
    }
  }
}

/** What was sent, set or requested first comes first. */
const byAge = (one: Internal, other: Internal): number => one.cause - other.cause || (one.nth ?? 0) - (other.nth ?? 0);

/** Whether it is a message that neither asks nor answers: whose it is makes a difference then. */
const isPlain = (event: Internal): boolean => event.kind === 'deliver' && event.ask === 0 && event.reply === 0;

/** What closeness each likeness asks for. */
const NEEDED: Readonly<Record<Likeness, number>> = { place: 0, type: 1, content: 2 };

/** What part of the fields is equal. */
function equalParts(one: unknown, other: unknown): number {
  if (!isRecord(one) || !isRecord(other)) return sameData(one, other) ? 1 : 0;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  if (names.length === 0) return 1;
  return names.filter((name) => sameData(one[name], other[name])).length / names.length;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const sameData = (one: unknown, other: unknown): boolean =>
  one === other || sameDigest(new DataDigest().data(one), new DataDigest().data(other));

/** The same kind of event, at the same process, from the same other. */
export function isSamePlace(event: Internal, wanted: Internal): boolean {
  if (event.kind !== wanted.kind || event.process !== wanted.process) return false;
  if (event.kind === 'deliver') return event.from === (wanted as Deliver).from;
  return event.kind !== 'return' || event.to === (wanted as Return).to;
}

/** What it is about, besides its place. */
function typeOf(event: Internal): string {
  switch (event.kind) {
    case 'deliver':
    case 'return':
      return messageType(event.message);
    case 'fire':
      return event.timer;
    case 'complete':
      return `${event.operation} ${event.key}`;
    case 'spawn':
      return event.of;
  }
}
