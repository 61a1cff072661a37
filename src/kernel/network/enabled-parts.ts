import type { Internal, Spawn } from '../../trace/event.ts';
import type { Owner } from '../process.ts';
import type { Changes, Notes } from './changes.ts';
import { OUTSIDE, type InFlight } from './channel.ts';
import { byLane } from './channels.ts';
import { Due } from './due.ts';
import { addDeliverable } from './enabled.ts';
import type { EnabledWorld } from './enabled-world.ts';
import { exchange } from './exchange.ts';

/**
 * Finds the parts of a list that is in the order of `allEnabled`, and updates the parts that changed. The time depends on the
 * number of changes, and not on the size of the world.
 */
export class EnabledParts {
  /**
   * The place of a message that is gone but still in the list during an update; -1 if there is none. An event takes one message
   * away and often adds one: then only the messages between both places move. All other places are those in a list without it.
   */
  private hole = -1;

  private constructor(
    /** The world that may change this object. Any other must copy it first. */
    readonly owner: Owner,
    /** How many spawns the list begins with. */
    private spawns: number,
    /** The channels of the messages that follow, as numbers in the order of the list: searching them reads no event. */
    private readonly keys: number[],
    private readonly due: Due,
  ) {}

  /** The latest deadline that may pass now. */
  get horizonMs(): number {
    return this.due.horizonMs;
  }

  /** Puts everything that is enabled into an empty list. */
  static in(world: EnabledWorld, list: Internal[]): EnabledParts {
    for (const spawn of world.pendingSpawns.values()) list.push(spawn);
    for (const number of world.channelsInUse()) addDeliverable(world, world.channels.at(number), list);
    const spawns = world.pendingSpawns.size;
    const keys = keysOf(list.slice(spawns) as InFlight[]);
    return new EnabledParts(world.owner, spawns, keys, Due.in(world, list));
  }

  copyFor(owner: Owner): EnabledParts {
    return new EnabledParts(owner, this.spawns, this.keys.slice(), this.due.copy());
  }

  update(world: EnabledWorld, { channels, receivers, processes, spawns }: Changes, list: Internal[]): void {
    this.updateSpawns(world, spawns, list);
    for (let at = 0; at < channels.count; at++) this.updateChannel(world, channels.at(at), list);
    for (let at = 0; at < receivers.count; at++) this.updateReceiver(world, receivers.at(at), list);
    this.closeHole(list);
    // The clock of a session may have passed a deadline without any change.
    if (processes.count > 0 || world.uncontrolled !== undefined)
      this.due.update(world, processes, list, this.spawns + this.keys.length);
  }

  private updateSpawns(world: EnabledWorld, changed: Notes<Spawn>, list: Internal[]): void {
    for (let nth = 0; nth < changed.count; nth++) {
      const event = changed.at(nth);
      const place = placeOfSpawn(world, list, event.process, this.spawns);
      const isPending = world.pendingSpawns.has(event.process);
      const isListed = place < this.spawns && list[place]?.process === event.process;
      if (isPending !== isListed) list.splice(place, isListed ? 1 : 0, ...(isPending ? [event] : []));
      this.spawns += Number(isPending) - Number(isListed);
    }
  }

  /** The place of an event in the list while that is in order, or the first place of events like it. */
  likelyPlaceOf(world: EnabledWorld, event: Internal, list: readonly Internal[]): number {
    if (event.kind === 'spawn') return placeOfSpawn(world, list, event.process, Math.min(this.spawns, list.length));
    if (isMessage(event)) return this.placeOf(list, event.at, event.fromAt, event.lane);
    return this.spawns + this.keys.length + this.due.firstOf(world.place(event.process) as number);
  }

  private updateChannel(world: EnabledWorld, number: number, list: Internal[]): void {
    const channel = world.channels.at(number);
    const found: Internal[] = [];
    addDeliverable(world, channel, found);
    const from = this.placeOf(list, channel.at, channel.fromAt, channel.lane);
    const key = keyOf(channel.at, channel.fromAt);
    let to = from;
    while (this.keys[to - this.spawns] === key && this.messageAt(list, to)?.lane === channel.lane) to++;
    this.replace(list, from, to, found);
  }

  /** All channels to one process: it accepts messages now, or no longer. */
  private updateReceiver(world: EnabledWorld, at: number, list: Internal[]): void {
    const found: Internal[] = [];
    for (const channel of world.channels.to(at)) addDeliverable(world, channel, found);
    const from = this.spawns + this.firstOf(keyOf(at, OUTSIDE));
    this.replace(list, from, this.spawns + this.firstOf(keyOf(at + 1, OUTSIDE)), found);
  }

  /** Puts other messages in the place of those from `from` up to `to`. */
  private replace(list: Internal[], from: number, to: number, others: readonly Internal[]): void {
    exchange(this.keys, from - this.spawns, to - this.spawns, keysOf(others as readonly InFlight[]));
    const removed = to - from;
    if (removed === 1 && others.length === 0 && this.hole < 0) this.hole = from;
    else if (removed === 0 && others.length === 1 && this.hole >= 0) this.fillHole(list, from, others[0] as Internal);
    else {
      this.closeHole(list);
      exchange(list, from, to, others);
    }
  }

  private fillHole(list: Internal[], place: number, event: Internal): void {
    for (let at = this.hole; at < place; at++) list[at] = list[at + 1] as Internal;
    for (let at = this.hole; at > place; at--) list[at] = list[at - 1] as Internal;
    list[place] = event;
    this.hole = -1;
  }

  private closeHole(list: Internal[]): void {
    if (this.hole >= 0) list.splice(this.hole, 1);
    this.hole = -1;
  }

  private messageAt(list: readonly Internal[], place: number): InFlight | undefined {
    return list[this.hole >= 0 && place >= this.hole ? place + 1 : place] as InFlight | undefined;
  }

  /** The first place of the messages of that receiver, sender and lane, or the place to insert them at. */
  private placeOf(list: readonly Internal[], at: number, fromAt: number, lane: string | undefined): number {
    const key = keyOf(at, fromAt);
    let place = this.spawns + this.firstOf(key);
    while (this.keys[place - this.spawns] === key && byLane(this.messageAt(list, place)?.lane, lane) < 0) place++;
    return place;
  }

  /** How many messages come before those of that channel. */
  private firstOf(key: number): number {
    const { keys } = this;
    let from = 0;
    let to = keys.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((keys[middle] as number) < key) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** More than there are processes. */
const SENDERS = 2 ** 20;

/** Orders channels by receiver and sender. Those of one link have the same key, also those of other lanes. */
const keyOf = (at: number, fromAt: number): number => at * SENDERS + fromAt - OUTSIDE;

function keysOf(messages: readonly InFlight[]): number[] {
  const keys: number[] = [];
  for (const { at, fromAt } of messages) keys.push(keyOf(at, fromAt));
  return keys;
}

/** The place of the spawn of that process among the first of a list, which are spawns in the order of their processes. */
function placeOfSpawn(world: EnabledWorld, list: readonly Internal[], process: string, count: number): number {
  const wanted = world.place(process) as number;
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((world.place((list[middle] as Internal).process) as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}

const isMessage = (event: Internal): event is InFlight => event.kind === 'deliver' || event.kind === 'return';
