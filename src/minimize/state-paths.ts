import { DataDigest } from '../trace/data-digest.ts';
import { toPortable } from '../trace/json-encoding.ts';

/** A digest of each field of a process's state, ignoring numbers. */
type StateShape = readonly number[];

type WorldShape = ReadonlyMap<string, StateShape>;

/** The distance between worlds if a process is missing in one of them. */
const MISSING = 20;

/** The shapes of the states after each event of an execution: states of the same shape may be the same situation. */
export class StatePaths {
  /** By number of events: the shapes of all processes. */
  private readonly worlds: WorldShape[] = [new Map()];

  /** The number of events. */
  get length(): number {
    return this.worlds.length - 1;
  }

  /** Adds an event: the state of its process afterward. */
  add(process: string, state: object | undefined): void {
    this.worlds.push(this.changed(this.length, process, state));
  }

  /** The number of fields that differ between the worlds after these numbers of events. */
  distance(one: number, other: number): number {
    return this.distanceFrom(this.worlds[one] as WorldShape, other);
  }

  /** The world after `count` events, with another state of this process. */
  changed(count: number, process: string, state: object | undefined): WorldShape {
    return new Map(this.worlds[count]).set(process, shapeOf(state));
  }

  /** The number of fields that differ between this world and the one after `count` events. */
  distanceFrom(there: WorldShape, count: number): number {
    const after = this.worlds[count] as WorldShape;
    let distance = 0;
    for (const [process, look] of there) distance += differingFields(look, after.get(process));
    for (const process of after.keys()) if (!there.has(process)) distance += MISSING;
    return distance;
  }
}

function differingFields(one: StateShape | undefined, other: StateShape | undefined): number {
  if (one === other) return 0;
  if (one === undefined || other === undefined || one.length !== other.length) return MISSING;
  return one.filter((field, at) => field !== other[at]).length;
}

const shapeOf = (state: object | undefined): StateShape =>
  Object.values(state ?? {}).map((value) => new DataDigest().data(withoutNumbers(toPortable(value, 'the state'))).lo);

/**
 * Terms and counters grow without end, so they say little about a situation. Takes portable data, which has no cycles.
 */
function withoutNumbers(value: unknown): unknown {
  if (typeof value === 'number') return 0;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNumbers);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutNumbers(field)]));
}
