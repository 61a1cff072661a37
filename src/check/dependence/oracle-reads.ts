import { ENVIRONMENT, type Event } from '../../trace/event.ts';
import type { Session } from '../../kernel/ports.ts';
import type { ProcessView, RunningProcess, World } from '../../kernel/world.ts';
import { isPlainObject } from '../../trace/plain-data.ts';
import type { ReadSet } from '../../oracles/tracked-world.ts';
import { madeSince, type Mark } from './dependence.ts';

/** Stands for whatever there is to see of a process besides its state. */
const REST = '\0rest';

/** Stands for which fields a state has, and in which order. */
const NAMES = '\0names';

/** Stands for a state that has no fields: a list, a map or a set. */
const WHOLE = '\0whole';

/**
 * What oracles may look at besides processes: how many events there have been, what is pending, the event that happened
 * last, its place in the execution, which one is last at the end, what clients called, and which processes there are; and whether the
 * workload came to its end.
 */
type Aspect = 'length' | 'pending' | 'last' | 'place' | 'end' | 'calls' | 'everybody' | 'waits';

/** What tells of an event how it came about, and not what it is. */
const placing: ReadonlySet<unknown> = new Set(['cause', 'hi', 'lo', 'nth', 'sentMs', 'deadlineMs', 'request']);

/** What was seen, as JSON. */
export interface SavedOracleReads {
  readonly version: number;
  readonly aspects: readonly Aspect[];
  readonly fields: readonly (readonly [process: string, fields: readonly string[]])[];
}

/**
 * What oracles look at, as far as they have been seen to: top-level fields of the states of processes, and whatever tells
 * orders apart. An event that changes none of it cannot change a verdict, so only the others need be kept in order. Grows
 * during an exploration, which then has to start over.
 */
export class OracleReads {
  /** Counts what was seen for the first time. */
  version = 0;
  private readonly fields = new Map<string, Set<string>>();
  private readonly aspects = new Set<Aspect>();

  constructor(private readonly processes: readonly string[]) {}

  save(): SavedOracleReads {
    const fields = [...this.fields].map(([process, seen]): [string, string[]] => [process, [...seen]]);
    return { version: this.version, aspects: [...this.aspects], fields };
  }

  restore({ version, aspects, fields }: SavedOracleReads): void {
    this.version = version;
    for (const aspect of aspects) this.aspects.add(aspect);
    for (const [process, seen] of fields) this.fields.set(process, new Set(seen));
  }

  /** What was seen elsewhere. */
  add({ aspects, fields }: SavedOracleReads): void {
    for (const aspect of aspects) this.see(aspect);
    for (const [process, seen] of fields) for (const field of seen) this.note(process, field);
  }

  /** Whether oracles can tell any two orders apart. */
  get isOrderSeen(): boolean {
    const { aspects } = this;
    if ((['length', 'pending', 'place', 'end', 'waits'] as const).some((aspect) => aspects.has(aspect))) return true;
    return aspects.has('last') && (this.isAnything || aspects.has('calls'));
  }

  /** What oracles look at of how a world came about. */
  get looks(): Pick<ReadSet, 'length' | 'pending' | 'last'> {
    const { aspects } = this;
    // How what is pending came about will be seen when it happens.
    const pending = aspects.has('pending') || aspects.has('place');
    return { length: aspects.has('length'), pending, last: aspects.has('last') };
  }

  /** The workload waits at the end of an execution. In which orders it does not, only trying them tells. */
  seeWaits(): void {
    this.see('waits');
  }

  get isAnything(): boolean {
    return this.fields.size > 0 || this.aspects.has('everybody');
  }

  /** Whether what happened since then may matter to an oracle. */
  isVisible(before: Session, after: Session, since: Mark): boolean {
    if (after.recording.notes.since(since.notes).some((note) => 'call' in note)) return true;
    // An exception is judged at its own event, and what comes later is not.
    if (after.world.failure !== undefined || this.hasJoined(before, after, since)) return true;
    for (const { process } of after.recording.events.since(since.events)) {
      const fields = this.fields.get(process) ?? (this.aspects.has('everybody') ? NONE : undefined);
      if (process === ENVIRONMENT || fields === undefined) continue;
      if (!isSameView(viewOf(before, process), viewOf(after, process), fields)) return true;
    }
    return false;
  }

  /** Who is spawned is known from then on, and has its place among others, though it has yet to begin. */
  private hasJoined(before: Session, after: Session, since: Mark): boolean {
    if (this.aspects.has('everybody') && [...madeSince(after, since)].some(({ kind }) => kind === 'spawn')) return true;
    for (const name of this.fields.keys())
      if (!this.processes.includes(name) && viewOf(after, name) !== undefined && viewOf(before, name) === undefined)
        return true;
    return false;
  }

  /** The world as it is, which takes note of what is looked at. */
  watch(world: World): World {
    const watched: Pick<World, 'process' | 'up' | 'operations'> = {
      process: (name) => {
        // That it is not there matters as well.
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
        if (field === 'length' || field === 'pending') this.see(field);
        if (field === 'process' || field === 'up' || field === 'operations') return watched[field];
        return Reflect.get(target, field, target) as unknown;
      },
    });
  }

  /** The same at the end of an execution: which event is the last one there tells orders apart. */
  watchEnd(world: World): World {
    return new Proxy(this.watch(world), {
      get: (target, field) => {
        if (field === 'last') this.see('end');
        return Reflect.get(target, field, target) as unknown;
      },
    });
  }

  /** The event that happened last, which takes note of being looked at. */
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

  /** What stands in for a state must not be told from it: one that is a part of itself is shown as it is. */
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

const NONE: ReadonlySet<string> = new Set();

/** Every way to look at an object: at a field, whether it is there, and at which there are. */
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
    // It has not joined.
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
  // All at once: two fields may hold one object.
  const seen = [...fields];
  return isAlike(
    seen.map((field) => partOf(was, field)),
    seen.map((field) => partOf(is, field)),
  );
}

/** What is seen of a state: a field, and whether it is there. */
function partOf(state: object, field: string): unknown {
  if (field === WHOLE || field === REST) return field === WHOLE ? state : undefined;
  return field === NAMES ? Object.keys(state) : [field in state, (state as Record<string, unknown>)[field]];
}

/**
 * Whether nobody who looks at these data can tell them apart. The order of keys can be seen, and so can a field that is
 * there and undefined: no digest of data goes by that. So can whether two places hold one object.
 */
const isAlike = (one: unknown, other: unknown): boolean => new Comparison().isAlike(one, other);

class Comparison {
  /** The objects met so far, and what stood in their places on the other side; both ways, as each stands for one. */
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

/** Undefined where it is no array. */
const lengthOf = (value: object): number | undefined => (Array.isArray(value) ? value.length : undefined);

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
