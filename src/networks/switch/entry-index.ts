import type { Match } from '../openflow/messages.ts';
import { EntryScan, removeAll, type EntryStore, type Meant } from './entry-scan.ts';
import { ExpiryQueue } from './flow-expiry.ts';
import type { FlowEntry, FlowTable } from './flow-table.ts';
import { commonShape, mayMatch, shapeOf, valuesOfMatch, valuesOfPacket, type MatchShape } from './match-shape.ts';
import { covers, isSameMatch, matches, overlaps } from './matching.ts';
import type { PacketFields } from './packet-fields.ts';
import { Tuple } from './tuple.ts';

/** More entries than this are removed in one pass over the table. */
const FEW = 8;
/** Up to so many entries of one priority are compared one by one. */
const FEW_OF_ONE_PRIORITY = 64;

/**
 * Finds entries without looking at all of them: tuple space search (Srinivasan, Suri and Varghese, SIGCOMM 1999). Matches of one shape
 * are in one hash table, and the hash tables are asked in the order of their highest priorities.
 */
export class EntryIndex implements EntryStore {
  private readonly tuples = new Map<MatchShape, Tuple>();
  /** Those with the highest priority first; undefined when they have to be sorted again. */
  private byPriority: Tuple[] | undefined;
  private readonly ofPriority = new Map<number, Set<FlowEntry>>();
  /** The order of their arrival: of entries with equal priorities, the lower number comes first. */
  private readonly order = new Map<FlowEntry, number>();
  private readonly expiries = new ExpiryQueue((entry) => this.order.has(entry));
  private added = 0;

  constructor(private readonly entries: FlowEntry[]) {
    for (const entry of entries) this.note(entry, this.added++);
  }

  get size(): number {
    return this.order.size;
  }

  entryFor(packet: PacketFields): FlowEntry | undefined {
    const values = valuesOfPacket(packet);
    let best: FlowEntry | undefined;
    for (const tuple of this.inOrder()) {
      if (best !== undefined && tuple.highest < best.priority) break;
      if (!mayMatch(tuple.shape, packet)) continue;
      const first = tuple.withValues(values).find(({ match }) => matches(match, packet));
      if (first !== undefined && (best === undefined || this.compare(first, best) < 0)) best = first;
    }
    return best;
  }

  same({ match, priority }: Meant): FlowEntry | undefined {
    const like = this.tuples.get(shapeOf(match))?.withValues(valuesOfMatch(match));
    return like?.find((entry) => entry.priority === priority && isSameMatch(entry.match, match));
  }

  coveredBy(match: Match): FlowEntry[] {
    const shape = shapeOf(match);
    const values = valuesOfMatch(match);
    const covered: FlowEntry[] = [];
    for (const tuple of this.tuples.values()) {
      // A match covers no other that lacks one of its fields.
      if (commonShape(shape, tuple.shape) !== shape) continue;
      for (const entry of tuple.withCommonValues(shape, values)) if (covers(match, entry.match)) covered.push(entry);
    }
    return covered.sort((one, other) => this.compare(one, other));
  }

  hasOverlap({ match, priority }: Meant): boolean {
    const equals = this.ofPriority.get(priority);
    if (equals === undefined) return false;
    if (equals.size <= FEW_OF_ONE_PRIORITY) return [...equals].some((entry) => overlaps(entry.match, match));
    const shape = shapeOf(match);
    const values = valuesOfMatch(match);
    for (const tuple of this.tuples.values()) {
      if (tuple.highest < priority) continue;
      for (const entry of tuple.withCommonValues(commonShape(shape, tuple.shape), values)) {
        if (entry.priority === priority && overlaps(entry.match, match)) return true;
      }
    }
    return false;
  }

  nextExpiryMs(): number {
    return this.expiries.nextMs();
  }

  expired(nowMs: number): FlowEntry[] {
    return this.expiries.takeExpired(nowMs).sort((one, other) => this.compare(one, other));
  }

  insert(entry: FlowEntry): void {
    this.entries.push(entry);
    this.note(entry, this.added++);
  }

  replace(old: FlowEntry, entry: FlowEntry): void {
    this.entries[this.placeOf(old)] = entry;
    const order = this.orderOf(old);
    this.forget(old);
    this.note(entry, order);
  }

  remove(removed: readonly FlowEntry[]): void {
    if (removed.length > FEW) removeAll(this.entries, removed);
    else for (const entry of removed) this.entries.splice(this.placeOf(entry), 1);
    for (const entry of removed) this.forget(entry);
  }

  private readonly compare = (one: FlowEntry, other: FlowEntry): number =>
    other.priority - one.priority || this.orderOf(one) - this.orderOf(other);

  private orderOf(entry: FlowEntry): number {
    return this.order.get(entry) as number;
  }

  private inOrder(): readonly Tuple[] {
    this.byPriority ??= [...this.tuples.values()].sort((one, other) => other.highest - one.highest);
    return this.byPriority;
  }

  /** The place of an entry of the table, by binary search. */
  private placeOf(entry: FlowEntry): number {
    let [from, to] = [0, this.entries.length - 1];
    const order = this.orderOf(entry);
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.orderOf(this.entries[middle] as FlowEntry) < order) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  private note(entry: FlowEntry, order: number): void {
    this.order.set(entry, order);
    const equals = this.ofPriority.get(entry.priority);
    if (equals === undefined) this.ofPriority.set(entry.priority, new Set([entry]));
    else equals.add(entry);
    this.expiries.add(entry);
    const shape = shapeOf(entry.match);
    let tuple = this.tuples.get(shape);
    if (tuple === undefined) {
      tuple = new Tuple(shape, this.compare);
      this.tuples.set(shape, tuple);
    }
    if (entry.priority > tuple.highest) this.byPriority = undefined;
    tuple.add(entry);
  }

  private forget(entry: FlowEntry): void {
    const shape = shapeOf(entry.match);
    const tuple = this.tuples.get(shape) as Tuple;
    tuple.remove(entry);
    this.order.delete(entry);
    const equals = this.ofPriority.get(entry.priority) as Set<FlowEntry>;
    equals.delete(entry);
    if (equals.size === 0) this.ofPriority.delete(entry.priority);
    if (!tuple.isEmpty) return;
    this.tuples.delete(shape);
    this.byPriority = undefined;
  }
}

/** In a smaller table, looking at all entries is faster. */
const LARGE = 32;
/** A table is indexed when it has been looked through so often: a search that copies worlds looks at most copies a few times. */
const SCANS = 6;

/** The index of a table, or how often it has been looked through. Not part of the table: it follows from the entries. */
const known = new WeakMap<FlowTable, EntryIndex | number>();

/** The entries of a table, for one use: with an index if it pays. */
export function entriesOf(table: FlowTable): EntryStore {
  const { entries } = table;
  if (entries.length < LARGE) {
    known.delete(table);
    return new EntryScan(entries);
  }
  const found = known.get(table);
  // Of another length: the entries were not changed by the functions of this folder.
  if (typeof found === 'object' && found.size === entries.length) return found;
  const scans = typeof found === 'number' ? found : 0;
  if (scans < SCANS) {
    known.set(table, scans + 1);
    return new EntryScan(entries);
  }
  const index = new EntryIndex(entries);
  known.set(table, index);
  return index;
}
