import { DataDigest } from '../trace/data-digest.ts';

/** How each field of a process's state looks, numbers aside. */
type Look = readonly number[];

/** Worlds in which a process is missing are this far apart. */
const MISSING = 20;

/** What the states of an execution look like after each of its events: what has the same shape may be the same situation. */
export class StatePaths {
  /** For each number of events, the looks of all processes. */
  private readonly worlds: ReadonlyMap<string, Look>[] = [new Map()];

  /** How many events there are. */
  get length(): number {
    return this.worlds.length - 1;
  }

  /** One more event, and the state of its process after it. */
  add(process: string, state: object | undefined): void {
    const world = new Map(this.worlds.at(-1));
    world.set(process, Object.values(state ?? {}).map(lookOf));
    this.worlds.push(world);
  }

  /** How many fields look different after so many events and after so many. */
  distance(one: number, other: number): number {
    const before = this.worlds[one] as ReadonlyMap<string, Look>;
    const after = this.worlds[other] as ReadonlyMap<string, Look>;
    let distance = 0;
    for (const process of new Set([...before.keys(), ...after.keys()])) {
      distance += apart(before.get(process), after.get(process));
    }
    return distance;
  }
}

function apart(one: Look | undefined, other: Look | undefined): number {
  if (one === other) return 0;
  if (one === undefined || other === undefined || one.length !== other.length) return MISSING;
  return one.filter((field, at) => field !== other[at]).length;
}

const lookOf = (value: unknown): number => new DataDigest().data(withoutNumbers(value)).lo;

/** Terms and counters grow for ever: they say least about a situation. */
function withoutNumbers(value: unknown): unknown {
  if (typeof value === 'number') return 0;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNumbers);
  if (value instanceof Map || value instanceof Set) return [...value].map(withoutNumbers);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutNumbers(field)]));
}
