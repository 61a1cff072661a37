import type { Deliver, Return } from '../../trace/event.ts';
import type { LinkRules } from '../declaration.ts';
import type { KeptDigest, Owner } from '../process.ts';

/** The place of the environment among senders. */
export const OUTSIDE = -1;

/** A message in flight to a process, or one of its own messages that comes back. `at` and `fromAt` are places of processes. */
export type InFlight = (Deliver | Return) & { readonly at: number; readonly fromAt: number; readonly lane?: string };

/** The messages in flight from one process to another on one lane, oldest first. Copied when a fork first changes it. */
export class Channel {
  /** The oldest message. Most channels have one at a time: it needs no list. */
  private oldest: InFlight | undefined = undefined;
  /** The messages behind it, from `head` on: everything before has been taken. */
  private rest: InFlight[] | undefined = undefined;
  private head = 0;
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
    return this.rest === undefined ? 1 : 1 + this.rest.length - this.head;
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
    else this.rest?.splice(this.rest.indexOf(item, this.head), 1);
  }

  /** Takes all out. */
  clear(): InFlight[] {
    const all = this.list();
    this.digest = undefined;
    this.oldest = undefined;
    this.rest = undefined;
    this.head = 0;
    return all;
  }

  has(item: InFlight): boolean {
    return this.oldest === item || this.rest?.includes(item, this.head) === true;
  }

  list(): InFlight[] {
    if (this.oldest === undefined) return [];
    return this.rest === undefined ? [this.oldest] : [this.oldest, ...this.behindFirst()];
  }

  private behindFirst(): InFlight[] {
    return this.rest?.slice(this.head) ?? [];
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
    this.oldest = rest[this.head];
    this.head += 1;
    if (this.head >= rest.length) {
      this.rest = undefined;
      this.head = 0;
    } else if (this.head >= 64 && this.head * 2 > rest.length) {
      // Taken messages must not be held for the rest of the execution.
      this.rest = this.behindFirst();
      this.head = 0;
    }
  }
}
