import type { Deliver, Return } from '../../trace/event.ts';
import type { LinkRules } from '../declaration.ts';
import type { KeptDigest, Owner } from '../process.ts';

/** The place of the environment among senders. */
export const OUTSIDE = -1;

/** A message in flight to a process, or one of its own messages that comes back. `at` and `fromAt` are places of processes. */
export type InFlight = (Deliver | Return) & { readonly at: number; readonly fromAt: number; readonly lane?: string };

/** In a channel with fewer messages, looking at all of them is faster. */
const HALVED_FROM = 32;

/** In a channel with fewer messages, moving those behind a message that is taken is faster than keeping a list of the taken ones. */
const MOVED_UP_TO = 4096;

const isSentBefore = (one: InFlight, other: InFlight): boolean =>
  one.cause < other.cause || (one.cause === other.cause && (one.nth ?? 0) < (other.nth ?? 0));

/**
 * The place of a message from `head` on. Messages are put on a channel in the order in which they were sent, so halving finds it; those
 * that came back or were held are elsewhere, and looked for one by one.
 */
function placeIn(messages: readonly InFlight[], wanted: InFlight, head: number): number {
  let low = head;
  let high = messages.length - head < HALVED_FROM ? -1 : messages.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const other = messages[middle] as InFlight;
    if (other === wanted) return middle;
    if (isSentBefore(other, wanted)) low = middle + 1;
    else high = middle - 1;
  }
  return messages.indexOf(wanted, head);
}

/** The messages in flight from one process to another on one lane, oldest first. Copied when a fork first changes it. */
export class Channel {
  /** The oldest message. Most channels have one at a time: it needs no list. */
  private oldest: InFlight | undefined = undefined;
  /** The messages behind it, from `head` on: everything before has been taken. */
  private rest: InFlight[] | undefined = undefined;
  private head = 0;
  /** The messages that have been taken from the middle of a long list. They stay in it until they are half of it. */
  private taken: Set<InFlight> | undefined = undefined;
  private isCut = false;
  /** Whether the lane itself is cut. A lane delivers nothing while its link is cut, either; the default lane is cut with its link. */
  isCutItself = false;
  /** The rules for its messages, once they have been looked up. */
  rules: LinkRules | undefined;
  /** Messages delivered so far: places a cut among the deliveries. */
  delivered = 0;
  /** Messages put on it so far: places a copy among the messages. */
  added = 0;
  /** Whether it is on the world's list of channels that hold messages. */
  isListed = false;
  /** The digest of it that was asked for last, until it changes. */
  digest: KeptDigest | undefined;

  constructor(
    readonly at: number,
    readonly fromAt: number,
    /** Its number among the channels of the world. */
    readonly number: number,
    /** The world that may change this object. Any other must copy it first. */
    readonly owner: Owner,
    /** Undefined for the default lane. */
    readonly lane: string | undefined,
  ) {}

  /** Whether nothing is delivered: the lane is cut, or its link. */
  get cut(): boolean {
    return this.isCut;
  }

  set cut(isCut: boolean) {
    this.isCut = isCut;
    this.digest = undefined;
  }

  get size(): number {
    if (this.oldest === undefined) return 0;
    return this.rest === undefined ? 1 : 1 + this.rest.length - this.head - (this.taken?.size ?? 0);
  }

  get first(): InFlight | undefined {
    return this.oldest;
  }

  add(item: InFlight): void {
    if (this.oldest === undefined) this.oldest = item;
    else if (this.rest === undefined) this.rest = [item];
    else this.rest.push(item);
    this.added += 1;
    this.digest = undefined;
  }

  /** Takes one out, wherever it stands. */
  take(item: InFlight): void {
    this.digest = undefined;
    if (this.oldest === item) this.takeFirst();
    else if (this.rest === undefined) return;
    else if (this.rest.length < MOVED_UP_TO) this.rest.splice(placeIn(this.rest, item, this.head), 1);
    else this.takeFromLong(item);
  }

  /** Takes all out. */
  clear(): InFlight[] {
    const all = this.list();
    this.digest = undefined;
    this.oldest = undefined;
    this.rest = undefined;
    this.taken = undefined;
    this.head = 0;
    return all;
  }

  has(item: InFlight): boolean {
    if (this.oldest === item) return true;
    return this.rest?.includes(item, this.head) === true && this.taken?.has(item) !== true;
  }

  list(): InFlight[] {
    if (this.oldest === undefined) return [];
    return this.rest === undefined ? [this.oldest] : [this.oldest, ...this.behindFirst()];
  }

  private behindFirst(): InFlight[] {
    const { taken } = this;
    const all = this.rest?.slice(this.head) ?? [];
    return taken === undefined ? all : all.filter((item) => !taken.has(item));
  }

  private takeFromLong(item: InFlight): void {
    this.taken ??= new Set();
    this.taken.add(item);
    if (this.taken.size * 2 > (this.rest as InFlight[]).length - this.head) this.leaveOutTaken();
  }

  private leaveOutTaken(): void {
    this.rest = this.behindFirst();
    this.taken = undefined;
    this.head = 0;
  }

  copyFor(owner: Owner): Channel {
    const copy = new Channel(this.at, this.fromAt, this.number, owner, this.lane);
    copy.oldest = this.oldest;
    if (this.rest !== undefined) copy.rest = this.behindFirst();
    copy.isCut = this.isCut;
    copy.isCutItself = this.isCutItself;
    copy.rules = this.rules;
    copy.delivered = this.delivered;
    copy.added = this.added;
    copy.isListed = this.isListed;
    copy.digest = this.digest;
    return copy;
  }

  private takeFirst(): void {
    const { rest } = this;
    if (rest === undefined) {
      this.oldest = undefined;
      return;
    }
    if (this.taken !== undefined) this.skipTaken(rest, this.taken);
    this.oldest = rest[this.head];
    this.head += 1;
    if (this.head >= rest.length) {
      this.rest = undefined;
      this.head = 0;
      // Taken messages must not be held for the rest of the execution.
    } else if (this.head >= 64 && this.head * 2 > rest.length) this.leaveOutTaken();
  }

  private skipTaken(rest: readonly InFlight[], taken: Set<InFlight>): void {
    while (taken.delete(rest[this.head] as InFlight)) this.head += 1;
  }
}
