import type { Internal } from '../../trace/event.ts';
import type { LiveWorld } from '../live-world.ts';
import type { Owner } from '../process.ts';
import type { Changes } from './changes.ts';
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

  /** Puts everything that is enabled into an empty list. */
  static in(world: LiveWorld, list: Internal[]): EnabledParts {
    for (const spawn of world.pendingSpawns) list.push(spawn);
    for (const number of world.channelsInUse()) addDeliverable(world, world.channels.at(number), list);
    const spawns = world.pendingSpawns.length;
    return new EnabledParts(world.owner, spawns, list.length - spawns, Due.in(world, list));
  }

  copyFor(owner: Owner): EnabledParts {
    return new EnabledParts(owner, this.spawns, this.messages, this.due.copy());
  }

  update(world: LiveWorld, { channels, receivers, processes }: Changes, list: Internal[]): void {
    exchange(list, 0, this.spawns, world.pendingSpawns);
    this.spawns = world.pendingSpawns.length;
    for (let at = 0; at < channels.count; at++) this.updateChannel(world, channels.at(at), list);
    for (let at = 0; at < receivers.count; at++) this.updateReceiver(world, receivers.at(at), list);
    if (processes.count > 0) this.due.update(world, processes, list, this.spawns + this.messages);
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
    let to = from + this.messages;
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

const isTo = (item: InFlight, at: number, channel: Channel | undefined): boolean =>
  item.at === at && (channel === undefined || (item.fromAt === channel.fromAt && item.lane === channel.lane));
