import { SharedList } from '../data/shared-list.ts';
import { Channel, type InFlight } from './channel.ts';
import type { Owner } from '../process.ts';

/** Up to so many channels are looked through, even if most are empty: that is faster than removing the empty ones. */
const LOOKED_THROUGH = 64;

/** Finds channels by the places of their processes. Copied by the world that first changes it. */
interface Index {
  readonly owner: Owner;
  /** By receiver. */
  readonly rows: (ChannelRow | undefined)[];
  /** The numbers of the channels that hold messages, and of some that did. */
  listed: number[];
  isSorted: boolean;
}

/** The numbers of the channels to one receiver, by the place of the sender plus one: the environment comes first. */
interface ChannelRow {
  readonly owner: Owner;
  readonly numbers: (number | undefined)[];
  /** Those of lanes, by `laneKey`. */
  readonly lanes: Map<string, number> | undefined;
}

/**
 * The channels of a world. A channel is made on first use and numbered in that order, so that memory and forks go by the
 * channels that there are, and not by pairs of processes. Those that hold messages are listed by receiver,
 * sender and lane, so the time to look through them depends on pending messages only. Forks share all of it: a fork alone copies nothing.
 */
export class Channels {
  private constructor(
    /** The world that may change this object. Any other must copy it first. */
    readonly owner: Owner,
    /** By number. */
    private readonly all: SharedList<Channel>,
    private index: Index,
  ) {}

  /** Of a world with so many processes. */
  static none(owner: Owner, processes: number): Channels {
    // Of its length from the start: an array that grows is copied.
    // oxlint-disable-next-line unicorn/no-new-array
    const rows = new Array<ChannelRow | undefined>(processes);
    return new Channels(owner, SharedList.empty(), { owner, rows, listed: [], isSorted: true });
  }

  copyFor(owner: Owner): Channels {
    return new Channels(owner, this.all.copy(), this.index);
  }

  find(fromAt: number, at: number, lane: string | undefined): Channel | undefined {
    const number = this.numberOf(fromAt, at, lane);
    return number === undefined ? undefined : this.all.at(number);
  }

  /** The channel, to be changed, made on first use: a copy if a fork shares the old object. */
  own(fromAt: number, at: number, lane: string | undefined): Channel {
    const number = this.numberOf(fromAt, at, lane);
    return number === undefined ? this.made(fromAt, at, lane) : this.copied(number);
  }

  /** The lanes from one process to another, without the default lane, to be changed. */
  ownLanes(fromAt: number, at: number): Channel[] {
    const numbers = [...(this.index.rows[at]?.lanes?.values() ?? [])];
    return numbers.filter((number) => this.all.at(number).fromAt === fromAt).map((number) => this.copied(number));
  }

  private numberOf(fromAt: number, at: number, lane: string | undefined): number | undefined {
    const row = this.index.rows[at];
    return lane === undefined ? row?.numbers[fromAt + 1] : row?.lanes?.get(laneKey(fromAt, lane));
  }

  /** Puts a message on a channel that may be changed. */
  add(channel: Channel, item: InFlight): void {
    channel.add(item);
    if (!channel.isListed) this.list(channel);
  }

  /** Whether `inUse` has to be put in order first, which changes this object. */
  get isInDisorder(): boolean {
    return !this.index.isSorted || this.index.listed.length > LOOKED_THROUGH;
  }

  putInOrder(): void {
    if (this.index.listed.length > LOOKED_THROUGH) this.leaveOutEmpty();
    if (!this.index.isSorted) this.sort();
  }

  /** The numbers of those that hold messages, and of some that did, by receiver, sender and lane. */
  get inUse(): readonly number[] {
    return this.index.listed;
  }

  at(number: number): Channel {
    return this.all.at(number);
  }

  /** Those to one receiver, by sender and then lane. */
  to(at: number): Channel[] {
    const found: Channel[] = [];
    const row = this.index.rows[at];
    for (const number of row?.numbers ?? []) if (number !== undefined) found.push(this.all.at(number));
    if (row?.lanes === undefined) return found;
    for (const number of row.lanes.values()) found.push(this.all.at(number));
    return found.sort(byPlace);
  }

  /** Those that are cut themselves, by receiver, sender and lane. */
  cut(): readonly Channel[] {
    return this.all
      .all()
      .filter(({ isCutItself }) => isCutItself)
      .sort(byPlace);
  }

  private copied(number: number): Channel {
    const channel = this.all.at(number);
    if (channel.owner === this.owner) return channel;
    const copy = channel.copyFor(this.owner);
    this.all.set(number, copy);
    return copy;
  }

  private made(fromAt: number, at: number, lane: string | undefined): Channel {
    const channel = new Channel(at, fromAt, this.all.length, this.owner, lane);
    this.all.push(channel);
    if (lane === undefined) this.rowOf(at, fromAt + 2).numbers[fromAt + 1] = channel.number;
    else {
      this.lanesOf(at).set(laneKey(fromAt, lane), channel.number);
      channel.cut = this.find(fromAt, at, undefined)?.cut === true;
    }
    return channel;
  }

  private lanesOf(at: number): Map<string, number> {
    const row = this.rowOf(at);
    const lanes = row.lanes ?? new Map<string, number>();
    if (row.lanes === undefined) this.index.rows[at] = { ...row, lanes };
    return lanes;
  }

  /** The row, to be changed. A new one has room for so many numbers: V8 makes room for 17 in an array that grows. */
  private rowOf(at: number, length = 0): ChannelRow {
    const { rows } = this.ownIndex();
    const row = rows[at];
    if (row?.owner === this.owner) return row;
    const lanes = row?.lanes && new Map(row.lanes);
    // oxlint-disable-next-line unicorn/no-new-array
    const numbers = row?.numbers.slice() ?? new Array<number | undefined>(length);
    const owned: ChannelRow = { owner: this.owner, numbers, lanes };
    rows[at] = owned;
    return owned;
  }

  private list(channel: Channel): void {
    const index = this.ownIndex();
    channel.isListed = true;
    const last = index.listed.at(-1);
    index.isSorted &&= last === undefined || byPlace(this.at(last), channel) < 0;
    index.listed.push(channel.number);
  }

  private leaveOutEmpty(): void {
    const { listed } = this.index;
    const kept: number[] = [];
    for (const number of listed) {
      if (this.at(number).size > 0) kept.push(number);
      else this.copied(number).isListed = false;
    }
    if (kept.length < listed.length) this.ownIndex().listed = kept;
  }

  private sort(): void {
    const index = this.ownIndex();
    index.listed.sort((one, other) => byPlace(this.at(one), this.at(other)));
    index.isSorted = true;
  }

  private ownIndex(): Index {
    const { owner, rows, listed, isSorted } = this.index;
    if (owner !== this.owner) this.index = { owner: this.owner, rows: rows.slice(), listed: listed.slice(), isSorted };
    return this.index;
  }
}

const laneKey = (fromAt: number, lane: string): string => `${fromAt} ${lane}`;

const byPlace = (one: Channel, other: Channel): number =>
  one.at - other.at || one.fromAt - other.fromAt || byLane(one.lane, other.lane);

/** The default lane comes first. */
export function byLane(one = '', other = ''): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
