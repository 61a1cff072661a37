import { ENVIRONMENT, isInternal, type Event } from '../../trace/event.ts';
import type { Oracle, Session } from '../../kernel/ports.ts';
import { remembers } from '../../oracles/remembers.ts';
import type { ResolvedSystem } from '../../system/resolve.ts';
import type { ProcessView, RunningProcess, World } from '../../kernel/world.ts';
import { isPlainObject } from '../../trace/plain-data.ts';
import type { ReadSet } from '../../oracles/tracked-world.ts';
import { madeSince, type Mark } from './dependence.ts';

/** Stands for everything visible of a process besides its state. */
const REST = '\0rest';

/** Stands for the fields of a state, and their order. */
const NAMES = '\0names';

/** Stands for a state without fields: a list, a map or a set. */
const WHOLE = '\0whole';

/**
 * What oracles may read besides processes: the number of events, the pending events, the last event, its causal
 * identity, the last event of an execution, the calls of clients, the set of processes, and whether the workload still
 * waits at the end.
 */
type Aspect = 'length' | 'pending' | 'last' | 'place' | 'end' | 'calls' | 'everybody' | 'waits';

/** The fields of an event that tell how it came about. */
const placing: ReadonlySet<unknown> = new Set(['cause', 'hi', 'lo', 'nth', 'sentMs', 'deadlineMs', 'request']);

/** The reads so far, as JSON. */
export interface SavedOracleReads {
  readonly version: number;
  readonly aspects: readonly Aspect[];
  readonly fields: readonly (readonly [process: string, fields: readonly string[]])[];
}

/**
 * The observed reads of oracles: top-level fields of the states of processes, and everything that distinguishes orders.
 * An event that changes none of it cannot change a verdict, so only the others need be kept in order. If the set grows
 * during an exploration, the exploration has to start over.
 */
export class OracleReads {
  /** Counts new reads. */
  version = 0;
  private readonly fields = new Map<string, Set<string>>();
  private readonly aspects = new Set<Aspect>();

  constructor(
    private readonly processes: readonly string[],
    /** The oracles, if all of them wait for events: see `Oracle.waitsFor`. */
    private readonly waiting: readonly Oracle[] = [],
  ) {}

  save(): SavedOracleReads {
    const fields = [...this.fields].map(([process, seen]): [string, string[]] => [process, [...seen]]);
    return { version: this.version, aspects: [...this.aspects], fields };
  }

  restore({ version, aspects, fields }: SavedOracleReads): void {
    this.version = version;
    for (const aspect of aspects) this.aspects.add(aspect);
    for (const [process, seen] of fields) this.fields.set(process, new Set(seen));
  }

  /** Adds the reads of another thread. */
  add({ aspects, fields }: SavedOracleReads): void {
    for (const aspect of aspects) this.see(aspect);
    for (const [process, seen] of fields) for (const field of seen) this.note(process, field);
  }

  /** Whether oracles can distinguish any two orders. */
  get isOrderSeen(): boolean {
    const { aspects } = this;
    if ((['length', 'pending', 'place', 'end', 'waits'] as const).some((aspect) => aspects.has(aspect))) return true;
    return aspects.has('last') && (this.isAnything || aspects.has('calls'));
  }

  /** The reads that concern the history of a world. */
  get reads(): Pick<ReadSet, 'length' | 'pending' | 'last'> {
    const { aspects } = this;
    // The identity of a pending event becomes visible when it happens.
    const pending = aspects.has('pending') || aspects.has('place');
    return { length: aspects.has('length'), pending, last: aspects.has('last') };
  }

  /** The workload waits at the end of an execution. Only trying them shows in which orders it does not. */
  seeWaits(): void {
    this.see('waits');
  }

  get isAnything(): boolean {
    return this.fields.size > 0 || this.aspects.has('everybody');
  }

  /** Whether the events since the mark may matter to an oracle. */
  isVisible(before: Session, after: Session, since: Mark): boolean {
    if (after.recording.notes.since(since.notes).some((note) => 'call' in note)) return true;
    // An exception is judged at its own event, and later worlds are not.
    if (after.world.failure !== undefined || this.hasJoined(before, after, since)) return true;
    const known = this.visibilityByWaiting(before, after, since);
    if (known !== undefined) return known;
    for (const { process } of after.recording.events.since(since.events)) {
      const fields = this.fields.get(process) ?? (this.aspects.has('everybody') ? NONE : undefined);
      if (process === ENVIRONMENT || fields === undefined) continue;
      if (!isSameView(viewOf(before, process), viewOf(after, process), fields)) return true;
    }
    return false;
  }

  /**
   * What is known of these events from what oracles wait for. An event that all of them wait for, and after which they wait for others, is
   * invisible: as long as it is pending they hold, so in whichever order it and an independent event happen, no world between them is judged. An event
   * after which an oracle waits no longer, or waits again, is visible.
   */
  private visibilityByWaiting(before: Session, after: Session, since: Mark): boolean | undefined {
    if (this.waiting.length === 0) return undefined;
    const waits = ({ world }: Session): boolean[] => {
      const { pending } = world;
      return this.waiting.map((oracle) => pending.some((event) => oracle.waitsFor?.(event, world) === true));
    };
    const [had, has] = [waits(before), waits(after)];
    if (had.some((waited, at) => waited !== has[at])) return true;
    const [event, ...others] = after.recording.events.since(since.events);
    const isOfAll =
      event !== undefined &&
      others.length === 0 &&
      isInternal(event) &&
      this.waiting.every((oracle) => oracle.waitsFor?.(event, before.world) === true);
    return isOfAll && !has.includes(false) ? false : undefined;
  }

  /** A spawned process is visible at once, with its place among the others, before it begins. */
  private hasJoined(before: Session, after: Session, since: Mark): boolean {
    if (this.aspects.has('everybody') && [...madeSince(after, since)].some(({ kind }) => kind === 'spawn')) return true;
    for (const name of this.fields.keys())
      if (!this.processes.includes(name) && viewOf(after, name) !== undefined && viewOf(before, name) === undefined)
        return true;
    return false;
  }

  /** The world, wrapped so that reads are recorded. */
  watch(world: World): World {
    const watched: Pick<World, 'process' | 'up' | 'operations'> = {
      process: (name) => {
        // A read of a missing process counts as well.
        this.note(name, REST);
        return this.watched(world.process(name));
      },
      up: (...of: never[]) => {
        this.see('everybody');
        const up: readonly RunningProcess[] = world.up(...(of as unknown as [never]));
        return up.map((process) => this.watched(process)) as never;
      },
      operations: (events) => {
        this.see('calls');
        if (events !== undefined) this.see('length');
        return world.operations(events);
      },
    };
    return new Proxy(world, {
      get: (target, field) => {
        if (field === 'last') {
          this.see('last');
          return this.watchLast(target.last);
        }
        if (field === 'length' || (field === 'pending' && this.waiting.length === 0)) this.see(field);
        if (field === 'process' || field === 'up' || field === 'operations') return watched[field];
        return Reflect.get(target, field, target) as unknown;
      },
    });
  }

  /** The same at the end of an execution: which event is last there distinguishes orders. */
  watchEnd(world: World): World {
    return new Proxy(this.watch(world), {
      get: (target, field) => {
        if (field === 'last') this.see('end');
        return Reflect.get(target, field, target) as unknown;
      },
    });
  }

  /** The last event, wrapped so that reads are recorded. */
  watchLast(last: Event | undefined): Event | undefined {
    const see = (field?: string | symbol): void => {
      this.see('last');
      if (placing.has(field)) this.see('place');
    };
    return last === undefined ? undefined : (new Proxy(last, traps(see, see)) as Event);
  }

  private see(aspect: Aspect): void {
    if (this.aspects.has(aspect)) return;
    this.aspects.add(aspect);
    this.version += 1;
  }

  private watched<P extends ProcessView>(process: P): P {
    const { name, state, holdsItself } = process;
    this.note(name, REST);
    const shown = state === undefined ? undefined : this.watchedState(name, state, holdsItself);
    return new Proxy(process, {
      get: (target, field) => (field === 'state' ? shown : (Reflect.get(target, field, target) as unknown)),
    });
  }

  /** A wrapper must be indistinguishable from the state: a state that contains itself is not wrapped. */
  private watchedState(process: string, state: object, holdsItself = false): object {
    if (holdsItself || !isPlainObject(state)) {
      this.note(process, WHOLE);
      return state;
    }
    const see = (field: string | symbol): void => this.note(process, String(field));
    return new Proxy(
      state,
      traps(see, () => this.note(process, NAMES)),
    );
  }

  private note(process: string, field: string): void {
    let fields = this.fields.get(process);
    if (fields === undefined) this.fields.set(process, (fields = new Set()));
    if (fields.has(field)) return;
    fields.add(field);
    this.version += 1;
  }
}

/** The oracles that judge worlds, if all of them wait for events: an invariant may be interested in any event. */
export function waitingOracles({
  invariants,
  oracles,
}: Pick<ResolvedSystem, 'invariants' | 'oracles'>): readonly Oracle[] {
  const all = [...oracles.values()].filter((oracle) => !remembers(oracle));
  return invariants.size === 0 && all.every((oracle) => oracle.waitsFor !== undefined) ? all : [];
}

const NONE: ReadonlySet<string> = new Set();

/** Traps for every way to read an object: a field, its existence, and the list of fields. */
const traps = (see: (field: string | symbol) => void, seeNames: () => void): ProxyHandler<object> => ({
  get(target, field) {
    see(field);
    return Reflect.get(target, field, target) as unknown;
  },
  has(target, field) {
    see(field);
    return Reflect.has(target, field);
  },
  getOwnPropertyDescriptor(target, field) {
    see(field);
    return Reflect.getOwnPropertyDescriptor(target, field);
  },
  ownKeys(target) {
    seeNames();
    return Reflect.ownKeys(target);
  },
});

function viewOf({ world }: Session, process: string): ProcessView | undefined {
  try {
    return world.process(process);
  } catch {
    // The process has not joined.
    return undefined;
  }
}

function isSameView(
  one: ProcessView | undefined,
  other: ProcessView | undefined,
  fields: ReadonlySet<string>,
): boolean {
  if (one === other) return true;
  if (one?.up !== other?.up || one?.restarts !== other?.restarts || !isAlike(one?.disk, other?.disk)) return false;
  const [was, is] = [one?.state, other?.state];
  if (was === undefined || is === undefined) return was === is;
  // All fields at once, because two may hold one object.
  const seen = [...fields];
  return isAlike(
    seen.map((field) => partOf(was, field)),
    seen.map((field) => partOf(is, field)),
  );
}

/** The visible part of a state: a field, and whether it exists. */
function partOf(state: object, field: string): unknown {
  if (field === WHOLE || field === REST) return field === WHOLE ? state : undefined;
  return field === NAMES ? Object.keys(state) : [field in state, (state as Record<string, unknown>)[field]];
}

/**
 * Whether two values are indistinguishable to code. The order of keys is visible, and so is a field that exists and is
 * undefined, which digests of data ignore. It is visible, too, whether two places hold one object.
 */
const isAlike = (one: unknown, other: unknown): boolean => new Comparison().isAlike(one, other);

class Comparison {
  /** The objects so far, and their counterparts on the other side; in both directions, because each has one counterpart. */
  private readonly others = new Map<object, object>();
  private readonly ones = new Map<object, object>();

  isAlike(one: unknown, other: unknown): boolean {
    if (Object.is(one, other)) return true;
    if (!isObject(one) || !isObject(other)) return false;
    if (this.others.has(one) || this.ones.has(other)) return this.others.get(one) === other;
    this.others.set(one, other);
    this.ones.set(other, one);
    return this.hasSameParts(one, other);
  }

  private hasSameParts(one: Fields, other: Fields): boolean {
    if (one instanceof Map) return other instanceof Map && this.isSameList([...one].flat(1), [...other].flat(1));
    if (one instanceof Set) return other instanceof Set && this.isSameList([...one], [...other]);
    if (other instanceof Map || other instanceof Set || lengthOf(one) !== lengthOf(other)) return false;
    if ((Object.getPrototypeOf(one) === null) !== (Object.getPrototypeOf(other) === null)) return false;
    const names = Object.keys(one);
    return this.isSameList(names, Object.keys(other)) && names.every((name) => this.isAlike(one[name], other[name]));
  }

  private isSameList(some: readonly unknown[], others: readonly unknown[]): boolean {
    return some.length === others.length && some.every((one, at) => this.isAlike(one, others[at]));
  }
}

/** The length of an array; undefined for other objects. */
const lengthOf = (value: object): number | undefined => (Array.isArray(value) ? value.length : undefined);

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
