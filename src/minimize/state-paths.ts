import { DataDigest } from '../trace/data-digest.ts';
import { toPortable } from '../trace/json-encoding.ts';

/** How each field of a process's state looks, numbers aside. */
type Look = readonly number[];

type WorldLook = ReadonlyMap<string, Look>;

/** Worlds in which a process is missing are this far apart. */
const MISSING = 20;

/** What the states of an execution look like after each of its events: what has the same shape may be the same situation. */
export class StatePaths {
  /** For each number of events, the looks of all processes. */
  private readonly worlds: WorldLook[] = [new Map()];

  /** How many events there are. */
  get length(): number {
    return this.worlds.length - 1;
  }

  /** One more event, and the state of its process after it. */
  add(process: string, state: object | undefined): void {
    this.worlds.push(this.changed(this.length, process, state));
  }

  /** How many fields look different after so many events and after so many. */
  distance(one: number, other: number): number {
    return this.apart(this.worlds[one] as WorldLook, other);
  }

  /** The world after so many events, were it not for this process. */
  changed(count: number, process: string, state: object | undefined): WorldLook {
    return new Map(this.worlds[count]).set(process, lookOf(state));
  }

  /** How many fields look different there and after so many events. */
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

/** Terms and counters grow for ever: they say least about a situation. Takes portable data, which holds nothing twice. */
function withoutNumbers(value: unknown): unknown {
  if (typeof value === 'number') return 0;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNumbers);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutNumbers(field)]));
}
