import { NOTHING, type Change } from './change.ts';
import { escaped, isMark } from './json-encoding.ts';
import { digestOf, HOLE, leafOf, Part, portableOf, type Entry, type Mirrored, type PartKind } from './mirrored-part.ts';
import { DEPTH_MAX, shapeOf } from './plain-data.ts';

/** Thrown and caught in this file: the state is not a tree of ordinary data, so its portable form has to be compared. */
const UNUSUAL = new Error('not a tree of ordinary data');

/** Measured, in comparisons of a number in an array: of a field, of an entry of a Map, and of a copied value. */
const COSTS = { field: 10, sorted: 150, entry: 12, copy: 100 };

/** To list the fields of a larger object, V8 sorts them. */
const MANY_FIELDS = 1_000;

type Fields = Readonly<Record<string, unknown>>;

/** A key and its value in the state. */
type Live = readonly [key: unknown, now: unknown];

/**
 * One comparison of a state with its mirror. It collects the changes, and edits of the mirror that follow when the whole state
 * has been compared: until then, the mirror has the contents of before.
 */
export class MirrorLook {
  private readonly changes: Change[] = [];
  /** Edits of inner parts come before those of the parts around them, which use their digests. */
  private readonly edits: (() => void)[] = [];
  /** The parts around the current one, each with the key that leads on. */
  private readonly path: { readonly within: Part; readonly key: unknown }[] = [];
  private depth = 0;
  /** What the comparison cost, in comparisons of a number in an array. Known in advance by any other execution of the same events. */
  cost = 0;

  constructor(
    /** By object: the part that has it, at the last look or now. */
    private readonly known: Map<object, Part>,
    private readonly number: number,
  ) {}

  /** Compares the whole state, and makes the mirror equal to it. Undefined if that is impossible: then the mirror is the old one. */
  compared(root: Part, state: object): Change[] | undefined {
    return this.unlessUnusual(() => {
      if (kindOf(root, state) !== root.kind) throw UNUSUAL;
      this.compare(root, state);
      for (const edit of this.edits) edit();
      return this.changes;
    });
  }

  /** A mirror of the state. Undefined if it cannot have one. */
  built(state: object): Part | undefined {
    return this.unlessUnusual(() => this.mirroredObject(state));
  }

  private unlessUnusual<T>(look: () => T): T | undefined {
    try {
      return look();
    } catch (error) {
      if (error !== UNUSUAL) throw error;
      return undefined;
    }
  }

  /** Returns whether the contents of an object, an array or a Map changed. */
  private compare(part: Part, live: object): boolean {
    this.meet(part, live);
    const { length } = this.edits;
    if (++this.depth > DEPTH_MAX) throw UNUSUAL;
    if (part.kind === 'list') this.compareList(part, live as readonly unknown[]);
    else if (part.kind === 'object') this.compareFields(part, live as Fields);
    else if (part.kind === 'map') this.compareMap(part, live as ReadonlyMap<unknown, unknown>);
    this.depth -= 1;
    return this.edits.length > length;
  }

  private compareList(part: Part, live: readonly unknown[]): void {
    const { values } = part;
    const shared = Math.min(values.length, live.length);
    this.cost += shared;
    for (let at = 0; at < shared; at++) {
      const now = live[at];
      // Most places of a large state end here. -0 equals 0, and a hole is undefined, so these are compared below.
      if (now === values[at] && now !== 0 && now !== undefined) continue;
      this.compareAt(part, at, itemOf(live, at));
    }
    if (live.length === values.length) return;
    const added: Live[] = [];
    for (let at = shared; at < live.length; at++) added.push([at, itemOf(live, at)]);
    this.compareRest(part, shared, added);
  }

  private compareFields(part: Part, live: Fields): void {
    const { keys, values } = part;
    this.cost += keys.length * (keys.length > MANY_FIELDS ? COSTS.sorted : COSTS.field);
    let shared = 0;
    let rest: Live[] | undefined;
    const changed: ChangedField[] = [];
    for (const key in live) {
      const now = live[key];
      if (now === undefined) continue;
      if (rest === undefined && shared < keys.length && keys[shared] === key) {
        const from = this.changes.length;
        if (now !== values[shared] || now === 0) this.compareAt(part, shared, now);
        if (this.changes.length > from) changed.push({ key, from });
        shared += 1;
      } else if (Object.hasOwn(live, key)) (rest ??= []).push([key, now]);
    }
    if (rest !== undefined || shared < keys.length) this.compareRest(part, shared, rest ?? [], changed);
    else this.sortChanges(changed);
  }

  private compareMap(part: Part, live: ReadonlyMap<unknown, unknown>): void {
    const { keys, values } = part;
    this.cost += keys.length * COSTS.entry;
    let shared = 0;
    let rest: Live[] | undefined;
    for (const [key, now] of live) {
      if (rest === undefined && shared < keys.length && Object.is(keys[shared], key)) {
        if (now !== values[shared] || now === 0 || now === undefined) this.compareAt(part, shared, now);
        shared += 1;
      } else (rest ??= []).push([key, now]);
    }
    if (rest !== undefined || shared < keys.length) this.compareRest(part, shared, rest ?? []);
  }

  private compareAt(part: Part, at: number, now: unknown): void {
    const was = part.values[at];
    const next = this.compareValues(part, part.keyAt(at), was, now);
    if (!Object.is(next, was)) this.edits.push(() => (part.values[at] = next));
  }

  /** Returns the new mirrored value, which is the old one if that can stay. */
  private compareValues(part: Part, key: unknown, was: Mirrored, now: unknown): Mirrored {
    if (was instanceof Part && isObject(now) && this.isSameKind(was, now)) {
      this.path.push({ within: part, key });
      const isChanged = this.compare(was, now);
      this.path.pop();
      if (!isChanged) return was;
      const before = was.digest();
      this.edits.push(() => part.revise(part.nameOf(key), before, was.digest()));
      return was;
    }
    return Object.is(was, now) ? was : this.replaced(part, key, was, now);
  }

  /** Whether one is compared with the other part by part. A Set is not: it changes as a whole. */
  private isSameKind(was: Part, now: object): boolean {
    if (kindOf(was, now) !== was.kind) return false;
    if (was.kind !== 'set') return true;
    const members = now as ReadonlySet<unknown>;
    let at = 0;
    for (const member of members) if (!Object.is(was.values[at++], member)) return false;
    return at === was.values.length;
  }

  private replaced(part: Part, key: unknown, was: Mirrored, now: unknown): Mirrored {
    const next = this.mirrored(now);
    const [before, after] = [digestOf(was), digestOf(next)];
    this.changes.push([this.pointer(part, key), portableOf(was), portableOf(next)]);
    this.edits.push(() => part.revise(part.nameOf(key), before, after));
    this.forget(was);
    return next;
  }

  /** Compares the entries from a place on, where the keys are others than before. */
  private compareRest(part: Part, from: number, rest: readonly Live[], changed: ChangedField[] = []): void {
    const old = oldEntries(part, from);
    const entries = part.kind === 'map' ? inOrder(rest, old) : rest;
    const next = entries.map(([key, now]): Entry => {
      const before = this.changes.length;
      const entry = this.compareEntry(part, key, old.get(key), now);
      old.delete(key);
      if (part.kind === 'object' && this.changes.length > before) changed.push({ key: key as string, from: before });
      return entry;
    });
    this.sortChanges(changed);
    const gone = [...old.values()];
    for (const entry of part.kind === 'object' ? sortedFields(gone).reverse() : gone.reverse())
      this.remove(part, entry);
    this.edits.push(() => part.relay(from, next));
  }

  private compareEntry(part: Part, key: unknown, was: Entry | undefined, now: unknown): Entry {
    if (was !== undefined) return { ...was, value: this.compareValues(part, key, was.value, now) };
    if (part.kind === 'object' && isMark(key as string)) throw UNUSUAL;
    if (isObject(key)) throw UNUSUAL;
    const [name, value] = [part.nameOf(key), this.mirrored(now)];
    const after = digestOf(value);
    this.changes.push([this.pointer(part, key), NOTHING, portableOf(value)]);
    this.edits.push(() => part.revise(name, undefined, after));
    return { key, value, name };
  }

  private remove(part: Part, { key, value, name }: Entry): void {
    const before = digestOf(value);
    this.changes.push([this.pointer(part, key), portableOf(value), NOTHING]);
    this.edits.push(() => part.revise(name, before, undefined));
    this.forget(value);
  }

  /** The mirror of a value that was not there before. */
  private mirrored(now: unknown): Mirrored {
    if (now !== HOLE && (typeof now === 'symbol' || typeof now === 'function')) throw UNUSUAL;
    return isObject(now) ? this.mirroredObject(now) : now;
  }

  private mirroredObject(now: object): Part {
    const part = new Part(plainKind(now));
    this.meet(part, now);
    if (++this.depth > DEPTH_MAX) throw UNUSUAL;
    const entries = contentsOf(part.kind, now).map(([key, inner]): Entry => {
      const value = this.mirrored(inner);
      if (part.kind === 'set') return { key, value, name: NO_NAME };
      const name = part.nameOf(key);
      part.revise(name, undefined, digestOf(value));
      return { key, value, name };
    });
    part.relay(0, entries);
    this.cost += entries.length * COSTS.copy;
    this.depth -= 1;
    return part;
  }

  /**
   * Notes that the object is at the place of this part. An object that this look has met elsewhere is in two places. One that another
   * part had at the last look may have moved: if the look meets it there too, that part does not have it any more.
   */
  private meet(part: Part, live: object): void {
    part.seen = this.number;
    if (part.live === live) return;
    const other = this.known.get(live);
    if (other !== undefined && other.seen === this.number) throw UNUSUAL;
    if (other !== undefined) other.live = undefined;
    if (part.live !== undefined) this.known.delete(part.live);
    part.live = live;
    this.known.set(live, part);
  }

  /** The objects of a value that is no longer here. */
  private forget(was: Mirrored): void {
    if (!(was instanceof Part)) return;
    if (was.live !== undefined && this.known.get(was.live) === was) this.known.delete(was.live);
    for (const value of was.values) this.forget(value);
  }

  private pointer(part: Part, key: unknown): string {
    const steps = [...this.path, { within: part, key }];
    return steps.map((step) => `/${escaped(stepText(step.within, step.key))}`).join('');
  }

  /** The changes of fields, in the order that their names have in the portable form. */
  private sortChanges(fields: readonly ChangedField[]): void {
    if (fields.length < 2) return;
    const { changes } = this;
    const groups = fields.map(({ key, from }, at) => ({ key, changes: changes.slice(from, fields[at + 1]?.from) }));
    changes.length = (fields[0] as ChangedField).from;
    for (const group of sortedFields(groups)) changes.push(...group.changes);
  }
}

/** A field that changed, and where its changes begin. */
interface ChangedField {
  readonly key: string;
  readonly from: number;
}

const NO_NAME = { hi: 0, lo: 0 };

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The same object has the same kind as before: asking for it takes longer than comparing a small object. */
const kindOf = (part: Part, live: object): PartKind => (part.live === live ? part.kind : plainKind(live));

function plainKind(value: object): PartKind {
  const shape = shapeOf(value);
  if (shape === undefined) throw UNUSUAL;
  return shape === 'bare' ? 'object' : shape;
}

const itemOf = (list: readonly unknown[], at: number): unknown =>
  list[at] === undefined && !(at in list) ? HOLE : list[at];

function contentsOf(kind: PartKind, value: object): Live[] {
  if (kind === 'list') return Array.from(value as readonly unknown[], (_, at) => [at, itemOf(value as unknown[], at)]);
  const live = kind === 'object' ? Object.entries(value) : [...(value as ReadonlyMap<unknown, unknown>).entries()];
  if (live.some(([key]) => (kind === 'object' ? isMark(key as string) : isObject(key)))) throw UNUSUAL;
  return kind === 'object' ? live.filter(([, inner]) => inner !== undefined) : live;
}

function oldEntries(part: Part, from: number): Map<unknown, Entry> {
  const old = new Map<unknown, Entry>();
  for (let at = from; at < part.values.length; at++) {
    const key = part.keyAt(at);
    old.set(key, { key, value: part.values[at], name: part.nameAt(at) });
  }
  return old;
}

/** A Map changes entry by entry if the entries that stay have kept their order, and new ones follow. */
function inOrder(rest: readonly Live[], old: ReadonlyMap<unknown, Entry>): readonly Live[] {
  const now = new Set(rest.map(([key]) => key));
  const kept = [...old.keys()].filter((key) => now.has(key));
  if (kept.some((key, at) => !Object.is(rest[at]?.[0], key))) throw UNUSUAL;
  return rest;
}

/** In the order that objects have in the portable form: JavaScript puts keys that are whole numbers first. */
function sortedFields<T extends { readonly key: unknown }>(fields: readonly T[]): T[] {
  const byKey = new Map(fields.map((field) => [field.key as string, field]));
  const order = Object.fromEntries([...byKey.keys()].sort().map((key) => [key, 0]));
  return Object.keys(order).map((key) => byKey.get(key) as T);
}

/** A step of a JSON pointer. */
const stepText = (within: Part, key: unknown): string =>
  within.kind === 'map' ? JSON.stringify(leafOf(key)) : String(key);
