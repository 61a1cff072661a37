import type { Internal } from '../../trace/event.ts';
import type { Process } from '../process.ts';
import type { Notes } from './changes.ts';
import { Deadlines } from './deadlines.ts';
import { addDue, earliestIn, isTimed } from './enabled.ts';
import type { EnabledWorld } from './enabled-world.ts';
import { exchange } from './exchange.ts';

/** The noted deadline of a timer that is due at infinity: infinity itself means that there is no timer. */
const LATEST = Number.MAX_VALUE;

/** Knows the timers and operations that may happen now: they end a list that is in order, by process. */
export class Due {
  private constructor(
    /** The place of the process of each. */
    private places: number[],
    /** In virtual time, as the next two. */
    private deadlines: Deadlines | undefined,
    /** The places of the processes with a read or a write: these wait for no deadline. */
    private readonly usingDisk: Set<number>,
    /** The latest deadline that may pass now. */
    private horizon: number,
  ) {}

  get horizonMs(): number {
    return this.horizon;
  }

  /** Adds everything that is due to a list. */
  static in(world: EnabledWorld, list: Internal[]): Due {
    const waiting = world.waitingPlaces();
    const deadlines = world.declaration.timers === 'any' ? undefined : Deadlines.for(world.processes.length);
    const made = new Due([], deadlines, new Set(), Infinity);
    if (deadlines !== undefined) {
      for (const at of waiting) made.noteDeadline(world, deadlines, at);
      made.horizon = horizonAfter(world, deadlines);
    }
    made.listAgain(world, waiting, list, list.length);
    return made;
  }

  copy(): Due {
    return new Due(this.places.slice(), this.deadlines?.copy(), new Set(this.usingDisk), this.horizon);
  }

  /** How many timers and operations come before those of the process at that place. */
  firstOf(at: number): number {
    return placeIn(this.places, at);
  }

  /** The processes at these places changed. Timers and operations begin at `from` in the list. */
  update(world: EnabledWorld, changed: Notes<number>, list: Internal[], from: number): void {
    if (this.deadlines !== undefined) {
      const before = this.horizon;
      this.deadlines = this.deadlines.withRoomFor(world.processes.length);
      for (let nth = 0; nth < changed.count; nth++) this.noteDeadline(world, this.deadlines, changed.at(nth));
      this.horizon = horizonAfter(world, this.deadlines);
      if (this.horizon !== before) return this.listAgain(world, this.placesWithin(this.deadlines), list, from);
    }
    for (let nth = 0; nth < changed.count; nth++) this.updateProcess(world, changed.at(nth), list, from);
  }

  private noteDeadline(world: EnabledWorld, deadlines: Deadlines, at: number): void {
    const process = world.processes[at] as Process;
    deadlines.set(at, deadlineOf(process));
    if (process.operations.some((operation) => !isTimed(operation))) this.usingDisk.add(at);
    else if (this.usingDisk.size > 0) this.usingDisk.delete(at);
  }

  private updateProcess(world: EnabledWorld, at: number, list: Internal[], from: number): void {
    const found: Internal[] = [];
    addDue(world.processes[at] as Process, this.horizon, found);
    const { places } = this;
    const first = placeIn(places, at);
    let last = first;
    while (places[last] === at) last++;
    if (first === last && found.length === 0) return;
    exchange(list, from + first, from + last, found);
    exchange(
      places,
      first,
      last,
      found.map(() => at),
    );
  }

  /** Only after the horizon moved. That is rare if many timers are due: only the earliest of them moves the horizon. */
  private listAgain(world: EnabledWorld, places: readonly number[], list: Internal[], from: number): void {
    list.length = from;
    this.places = [];
    for (const at of places) {
      addDue(world.processes[at] as Process, this.horizon, list);
      while (this.places.length < list.length - from) this.places.push(at);
    }
  }

  private placesWithin(deadlines: Deadlines): readonly number[] {
    const due = deadlines.upTo(this.horizon);
    if (this.usingDisk.size === 0) return due;
    const all = new Set(due);
    for (const at of this.usingDisk) all.add(at);
    return [...all].sort((one, other) => one - other);
  }
}

function horizonAfter({ declaration: { timers }, uncontrolled, nowMs }: EnabledWorld, { earliest }: Deadlines): number {
  // Where the session has a clock, that clock decides.
  if (uncontrolled !== undefined) return nowMs;
  return timers === 'any' || earliest >= LATEST ? Infinity : earliest + timers.skewMs;
}

function deadlineOf(process: Process): number {
  const earliest = earliestIn(process);
  if (earliest < Infinity) return earliest;
  const isWaiting = (process.accepts && process.timers.length > 0) || process.operations.some(isTimed);
  return isWaiting ? LATEST : Infinity;
}

/** The place of that number in a sorted list, or the place to insert it at. */
function placeIn(sorted: readonly number[], wanted: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}
