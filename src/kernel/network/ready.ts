import type { Digest } from '../../trace/digest.ts';
import type { Complete, External, Fire, Internal, Spawn } from '../../trace/event.ts';
import type { Owner, Process } from '../process.ts';
import type { Channel, InFlight } from './channel.ts';
import { allEnabled, horizonOf, isHeld, isOrdered, isTimed, mayComplete } from './enabled.ts';
import type { EnabledWorld } from './enabled-world.ts';
import { Changes } from './changes.ts';
import { EnabledParts } from './enabled-parts.ts';
import { EventIndex } from './event-index.ts';
import { guessedPlaceIn, isShort, notedPlace, notePlace, notePlaces } from './place-guesses.ts';

/** In a world of up to so many channels and processes with something pending, and pending spawns, looking through all of them is fastest. */
const SMALL = 64;

/** So many changes are noted. After more of them, looking through the world is faster. */
const CHANGES_MAX = 64;

/**
 * The internal events that may happen now. The kernel reports facts, and this object keeps the list current.
 *
 * A seed means one execution, so the order of the list follows from the facts alone. Sends, deliveries and timers that fire any time
 * change the list in place: a new event comes last, and the last event takes the place of one that is gone. Any other fact puts
 * the list in the order of `allEnabled`, when the list is next looked at.
 */
export class Ready {
  /** Made when an event is not where it was expected. */
  private index: EventIndex | undefined;

  private constructor(
    /** The world that may change this object. Any other must copy it first. */
    readonly owner: Owner,
    private list: Internal[],
    private isInOrder: boolean,
    /** Of a large world: the parts of the list as they were when it was last put in order. */
    private parts: EnabledParts | undefined,
    /** The changes since then; undefined in a small world, and after too many changes. */
    private changes: Changes | undefined,
    /** Whether the places of all events have been noted since the list was last put in order. */
    private arePlacesNoted = false,
  ) {}

  static none(owner: Owner): Ready {
    return new Ready(owner, [], false, undefined, undefined);
  }

  copyFor(owner: Owner): Ready {
    return new Ready(owner, this.list.slice(), this.isInOrder, this.parts, this.changes?.copy(), this.arePlacesNoted);
  }

  /** The events; undefined if they have to be put in order first. */
  get current(): readonly Internal[] | undefined {
    return this.isInOrder ? this.list : undefined;
  }

  putInOrder(world: EnabledWorld): readonly Internal[] {
    if (this.changes !== undefined && this.parts !== undefined) this.update(world, this.changes, this.parts);
    else if (isLarge(world)) {
      this.list = [];
      this.parts = EnabledParts.in(world, this.list);
      this.changes = new Changes();
    } else {
      this.list = allEnabled(world);
      this.parts = undefined;
    }
    this.isInOrder = true;
    this.arePlacesNoted = false;
    this.index = undefined;
    return this.list;
  }

  /** The place of that event in the list, or -1. */
  placeOf(world: EnabledWorld, event: Internal): number {
    const { list } = this;
    if (isShort(list)) return list.indexOf(event);
    // While changes are noted, the list is in order but for a few events.
    const likely = this.changes === undefined ? undefined : this.parts?.likelyPlaceOf(world, event, list);
    if (likely !== undefined && list[likely] === event) return likely;
    const guess = notedPlace(event);
    if (list[guess] === event) return guess;
    this.notePlaces();
    return list.indexOf(event);
  }

  /** The event of that identity; undefined if it is not there, or not where it was expected. */
  guessed(id: Digest): Internal | undefined {
    return this.list[guessedPlaceIn(this.list, id)];
  }

  /** The event of that identity, wherever it is in the list. */
  find(id: Digest): Internal | undefined {
    this.index ??= new EventIndex();
    return this.index.find(this.list, id);
  }

  /** Notes the places of all events, unless they have been noted since the list was last put in order. */
  notePlaces(): void {
    if (!this.arePlacesNoted) notePlaces(this.list);
    this.arePlacesNoted = true;
  }

  /** The latest deadline that may pass now, of a list that is in order. */
  horizonMs(world: EnabledWorld): number {
    return this.parts?.horizonMs ?? horizonOf(world);
  }

  private update(world: EnabledWorld, changes: Changes, parts: EnabledParts): void {
    const owned = parts.owner === this.owner ? parts : parts.copyFor(this.owner);
    this.parts = owned;
    changes.takeBack(this.list);
    owned.update(world, changes, this.list);
    changes.clear();
  }

  /** A message was put on a channel. */
  messageAdded(world: EnabledWorld, receiver: Process, channel: Channel, item: InFlight): void {
    if (this.changes !== undefined) this.noteChannel(this.changes, channel);
    // It may be the answer that a blocked process waits for.
    if (!receiver.accepts) this.isInOrder = false;
    else if (this.isInOrder && !channel.cut && (channel.size === 1 || !isOrdered(world, channel))) this.add(item);
  }

  /** A message was taken off a channel to be delivered; it stands at that place of the list. */
  messageTaken(world: EnabledWorld, channel: Channel, place: number): void {
    if (this.changes !== undefined) this.noteChannel(this.changes, channel);
    if (!(world.processes[channel.at] as Process).accepts) {
      this.isInOrder = false;
      return;
    }
    const next = isOrdered(world, channel) ? channel.first : undefined;
    if (next === undefined || isHeld(world, next)) this.removeAt(place);
    else this.put(place, next);
  }

  /** Messages were removed from a channel without being delivered, or are held back, or no longer. */
  messagesChanged(channel: Channel): void {
    if (this.changes !== undefined) this.noteChannel(this.changes, channel);
    this.isInOrder = false;
  }

  /** These links were cut or healed. */
  linksSet(channels: readonly Channel[]): void {
    for (const channel of channels) if (this.changes !== undefined) this.noteChannel(this.changes, channel);
    this.isInOrder = false;
  }

  /** A process started, is up, is gone, or one of its handlers was suspended or resumed. */
  processChanged({ at }: Process): void {
    if (this.changes !== undefined) {
      this.changes.receivers.add(at);
      this.changes.processes.add(at);
      this.limitChanges();
    }
    this.isInOrder = false;
  }

  /** The clock of the session shows another time: timers may have become due. */
  timePassed(): void {
    this.isInOrder = false;
  }

  /** An ask of a process is over: no answer to it is awaited any more. */
  askClosed({ at, accepts }: Process): void {
    if (this.changes === undefined || accepts) return;
    this.changes.receivers.add(at);
    this.limitChanges();
  }

  /** A timer was set, or moved. */
  timerSet(world: EnabledWorld, process: Process, event: Fire, moved: Fire | undefined): void {
    this.noteProcess(process);
    if (world.declaration.timers !== 'any') this.isInOrder = false;
    else if (moved !== undefined) this.replace(world, moved, event);
    else if (this.isInOrder && process.accepts) this.add(event);
  }

  timerCanceled(world: EnabledWorld, process: Process, event: Fire): void {
    this.noteProcess(process);
    if (world.declaration.timers !== 'any') this.isInOrder = false;
    if (!this.isInOrder) return;
    const place = this.placeOf(world, event);
    if (place >= 0) this.removeAt(place);
  }

  /** A timer is about to fire; it stands at that place of the list. */
  timerTaken(world: EnabledWorld, process: Process, place: number): void {
    this.noteProcess(process);
    if (world.declaration.timers !== 'any') this.isInOrder = false;
    else this.removeAt(place);
  }

  operationRequested(world: EnabledWorld, process: Process, event: Complete): void {
    this.noteProcess(process);
    if (isTimed(event) && world.declaration.timers !== 'any') this.isInOrder = false;
    else if (this.isInOrder && mayComplete(process, event, Infinity)) this.add(event);
  }

  /** An operation is done or dropped: the next one for the same key may happen. */
  operationRemoved(process: Process): void {
    this.noteProcess(process);
    this.isInOrder = false;
  }

  spawnRequested(event: Spawn): void {
    this.noteSpawn(event);
    if (this.isInOrder) this.add(event);
  }

  /** A spawn is about to happen. */
  spawnTaken(event: Spawn): void {
    this.noteSpawn(event);
    this.isInOrder = false;
  }

  private replace(world: EnabledWorld, event: Internal, next: Internal): void {
    if (!this.isInOrder) return;
    const place = this.placeOf(world, event);
    if (place >= 0) this.put(place, next);
  }

  private add(event: Internal): void {
    this.changes?.noteStep('added', this.list.length, undefined);
    this.notePlace(event, this.list.length);
    this.index?.change(undefined, event);
    this.list.push(event);
  }

  private put(place: number, event: Internal): void {
    this.changes?.noteStep('replaced', place, this.list[place]);
    this.notePlace(event, place);
    this.index?.change(this.list[place], event);
    this.list[place] = event;
  }

  private removeAt(place: number): void {
    this.changes?.noteStep('removed', place, this.list[place]);
    this.index?.change(this.list[place], undefined);
    const last = this.list.pop() as Internal;
    if (place >= this.list.length) return;
    this.notePlace(last, place);
    this.list[place] = last;
  }

  private notePlace(event: Internal, place: number): void {
    if (!isShort(this.list)) notePlace(event, place);
  }

  private noteChannel(changes: Changes, { number }: Channel): void {
    changes.channels.add(number);
    this.limitChanges();
  }

  private noteProcess({ at }: Process): void {
    if (this.changes === undefined) return;
    this.changes.processes.add(at);
    this.limitChanges();
  }

  private noteSpawn(event: Spawn): void {
    if (this.changes === undefined) return;
    this.changes.spawns.add(event);
    this.limitChanges();
  }

  private limitChanges(): void {
    if (this.changes !== undefined && this.changes.count > CHANGES_MAX) this.changes = undefined;
  }
}

/**
 * Whether the external changes the list in place. The list has to be current before that, so that its order does not depend on
 * whether a caller has read it.
 */
export const changesInPlace = ({ kind }: External): boolean =>
  kind === 'send' || kind === 'duplicate' || kind === 'act';

const isLarge = (world: EnabledWorld): boolean =>
  world.channelsInUse().length + world.waitingPlaces().length + world.pendingSpawns.size > SMALL;
