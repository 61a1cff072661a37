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
  /** The number of values in all states so far. */
  values = 0;

  /** The number of events. */
  get length(): number {
    return this.worlds.length - 1;
  }

  /** Adds an event: the state of its process afterward. */
  add(process: string, state: object | undefined): void {
    const shape = new StateShapes();
    this.worlds.push(new Map(this.worlds[this.length]).set(process, shape.of(state)));
    this.values += shape.values;
  }

  /** The number of fields that differ between the worlds after these numbers of events. */
  distance(one: number, other: number): number {
    return this.distanceFrom(this.worlds[one] as WorldShape, other);
  }

  /** The world after `count` events, with another state of this process. */
  changed(count: number, process: string, state: object | undefined): WorldShape {
    return new Map(this.worlds[count]).set(process, new StateShapes().of(state));
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

/** Makes the shape of a state, and counts its values. */
class StateShapes {
  values = 0;

  of(state: object | undefined): StateShape {
    const fields = Object.values(state ?? {}).map((value) => this.withoutNumbers(toPortable(value, 'the state')));
    return fields.map((field) => new DataDigest().data(field).lo);
  }

  /**
   * Terms and counters grow without end, so they say little about a situation. Takes portable data, which has no cycles.
   */
  private withoutNumbers(value: unknown): unknown {
    this.values += 1;
    if (typeof value === 'number') return 0;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.withoutNumbers(item));
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, this.withoutNumbers(field)]));
  }
}
