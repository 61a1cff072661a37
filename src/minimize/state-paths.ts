import { DataDigest } from '../trace/data-digest.ts';
import { toPortable } from '../trace/json-encoding.ts';

/** A digest of each field of a process's state, ignoring numbers. */
type Look = readonly number[];

type WorldLook = ReadonlyMap<string, Look>;

/** The distance between worlds if a process is missing in one of them. */
const MISSING = 20;

/** The shapes of the states after each event of an execution: states of the same shape may be the same situation. */
export class StatePaths {
  /** By number of events: the shapes of all processes. */
  private readonly worlds: WorldLook[] = [new Map()];

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
    return this.apart(this.worlds[one] as WorldLook, other);
  }

  /** The world after `count` events, with another state of this process. */
  changed(count: number, process: string, state: object | undefined): WorldLook {
    return new Map(this.worlds[count]).set(process, lookOf(state));
  }

  /** The number of fields that differ between this world and the one after `count` events. */
  apart(there: WorldLook, count: number): number {
    const after = this.worlds[count] as WorldLook;
    let distance = 0;
    for (const [process, look] of there) distance += apart(look, after.get(process));
    for (const process of after.keys()) if (!there.has(process)) distance += MISSING;
    return distance;
  }
}

function apart(one: Look | undefined, other: Look | undefined): number {
  if (one === other) return 0;
  if (one === undefined || other === undefined || one.length !== other.length) return MISSING;
  return one.filter((field, at) => field !== other[at]).length;
}

const lookOf = (state: object | undefined): Look =>
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
