import type { Internal, Spawn } from '../../trace/event.ts';
import type { LiveWorld } from '../live-world.ts';
import type { Owner } from '../process.ts';
import type { Changes, Notes } from './changes.ts';
import type { Channel, InFlight } from './channel.ts';
import { byLane } from './channels.ts';
import { Due } from './due.ts';
import { addDeliverable } from './enabled.ts';
import { exchange } from './exchange.ts';

/**
 * Finds the parts of a list that is in the order of `allEnabled`, and updates the parts that changed. The time depends on the
 * number of changes, and not on the size of the world.
 */
export class EnabledParts {
  private constructor(
    /** The world that may change this object. Any other must copy it first. */
    readonly owner: Owner,
    /** How many spawns the list begins with, and how many messages follow. */
    private spawns: number,
    private messages: number,
    private readonly due: Due,
  ) {}

  /** The latest deadline that may pass now. */
  get horizonMs(): number {
    return this.due.horizonMs;
  }

  /** Puts everything that is enabled into an empty list. */
  static in(world: LiveWorld, list: Internal[]): EnabledParts {
    for (const spawn of world.pendingSpawns.values()) list.push(spawn);
    for (const number of world.channelsInUse()) addDeliverable(world, world.channels.at(number), list);
    const spawns = world.pendingSpawns.size;
    return new EnabledParts(world.owner, spawns, list.length - spawns, Due.in(world, list));
  }

  copyFor(owner: Owner): EnabledParts {
    return new EnabledParts(owner, this.spawns, this.messages, this.due.copy());
  }

  update(world: LiveWorld, { channels, receivers, processes, spawns }: Changes, list: Internal[]): void {
    this.updateSpawns(world, spawns, list);
    for (let at = 0; at < channels.count; at++) this.updateChannel(world, channels.at(at), list);
    for (let at = 0; at < receivers.count; at++) this.updateReceiver(world, receivers.at(at), list);
    if (processes.count > 0) this.due.update(world, processes, list, this.spawns + this.messages);
  }

  private updateSpawns(world: LiveWorld, changed: Notes<Spawn>, list: Internal[]): void {
    for (let nth = 0; nth < changed.count; nth++) {
      const event = changed.at(nth);
      const place = placeOfSpawn(world, list, event.process, this.spawns);
      const isPending = world.pendingSpawns.has(event.process);
      const isListed = place < this.spawns && list[place]?.process === event.process;
      if (isPending !== isListed) list.splice(place, isListed ? 1 : 0, ...(isPending ? [event] : []));
      this.spawns += Number(isPending) - Number(isListed);
    }
  }

  /** The place of a message or a spawn while the list is in order; any place after changes in place. */
  likelyPlaceOf(world: LiveWorld, event: Internal, list: readonly Internal[]): number {
    if (event.kind === 'spawn') return placeOfSpawn(world, list, event.process, Math.min(this.spawns, list.length));
    return isMessage(event) ? this.placeOf(list, event.at, event.fromAt, event.lane) : -1;
  }

  private updateChannel(world: LiveWorld, number: number, list: Internal[]): void {
    const channel = world.channels.at(number);
    const found: Internal[] = [];
    addDeliverable(world, channel, found);
    this.replace(list, this.placeOf(list, channel.at, channel.fromAt, channel.lane), channel.at, channel, found);
  }

  /** All channels to one process: it accepts messages now, or no longer. */
  private updateReceiver(world: LiveWorld, at: number, list: Internal[]): void {
    const found: Internal[] = [];
    for (const channel of world.channels.to(at)) addDeliverable(world, channel, found);
    this.replace(list, this.placeOf(list, at, -Infinity, undefined), at, undefined, found);
  }

  /** Puts others in the place of the messages to that receiver, of that channel or all. */
  private replace(
    list: Internal[],
    from: number,
    at: number,
    channel: Channel | undefined,
    others: readonly Internal[],
  ): void {
    const end = this.spawns + this.messages;
    let to = from;
    while (to < end && isTo(list[to] as InFlight, at, channel)) to++;
    exchange(list, from, to, others);
    this.messages += others.length - (to - from);
  }

  /** The first place of the messages of that receiver, sender and lane, or the place to insert them at. */
  private placeOf(list: readonly Internal[], at: number, fromAt: number, lane: string | undefined): number {
    let from = this.spawns;
    let to = Math.min(from + this.messages, list.length);
    while (from < to) {
      const middle = (from + to) >>> 1;
      const item = list[middle] as InFlight;
      const isBefore = item.at - at || item.fromAt - fromAt || byLane(item.lane, lane);
      if (isBefore < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** The place of the spawn of that process among the first of a list, which are spawns in the order of their processes. */
function placeOfSpawn(world: LiveWorld, list: readonly Internal[], process: string, count: number): number {
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

const isTo = (item: InFlight, at: number, channel: Channel | undefined): boolean =>
  item.at === at && (channel === undefined || (item.fromAt === channel.fromAt && item.lane === channel.lane));
