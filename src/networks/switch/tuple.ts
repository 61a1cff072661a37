import type { FlowEntry } from './flow-table.ts';
import { hashOf, valuesOfMatch, type HashedValues, type MatchShape } from './match-shape.ts';

const none: ReadonlySet<FlowEntry> = new Set();

/** The entries whose matches have one shape, by hashes of their values. Equal hashes do not mean equal values. */
export class Tuple {
  /** In each list, in the order of the table. */
  private readonly byHash = new Map<number, FlowEntry[]>();
  /** The same entries by fewer of their fields, for each smaller shape that was asked for. */
  private readonly groups = new Map<MatchShape, Map<number, Set<FlowEntry>>>();
  /** No entry has a higher priority. */
  highest = -1;

  constructor(
    readonly shape: MatchShape,
    /** Negative if the first entry is before the other one in the table. */
    private readonly compare: (one: FlowEntry, other: FlowEntry) => number,
  ) {}

  get isEmpty(): boolean {
    return this.byHash.size === 0;
  }

  /** Those whose values may be these. */
  withValues(values: HashedValues): readonly FlowEntry[] {
    return this.byHash.get(hashOf(this.shape, values)) ?? [];
  }

  /** Those that may have these values in the fields of a shape that is part of theirs. */
  *withCommonValues(common: MatchShape, values: HashedValues): Iterable<FlowEntry> {
    if (common === this.shape) yield* this.withValues(values);
    else if (common.number !== 0) yield* this.groupsBy(common).get(hashOf(common, values)) ?? none;
    else for (const list of this.byHash.values()) yield* list;
  }

  add(entry: FlowEntry): void {
    const values = valuesOfMatch(entry.match);
    this.highest = Math.max(this.highest, entry.priority);
    const hash = hashOf(this.shape, values);
    const list = this.byHash.get(hash);
    if (list === undefined) this.byHash.set(hash, [entry]);
    else {
      const next = list.findIndex((other) => this.compare(other, entry) > 0);
      list.splice(next === -1 ? list.length : next, 0, entry);
    }
    for (const [shape, group] of this.groups) addTo(group, hashOf(shape, values), entry);
  }

  remove(entry: FlowEntry): void {
    const values = valuesOfMatch(entry.match);
    const hash = hashOf(this.shape, values);
    const list = this.byHash.get(hash) ?? [];
    list.splice(list.indexOf(entry), 1);
    if (list.length === 0) this.byHash.delete(hash);
    for (const [shape, group] of this.groups) group.get(hashOf(shape, values))?.delete(entry);
  }

  private groupsBy(shape: MatchShape): Map<number, Set<FlowEntry>> {
    const known = this.groups.get(shape);
    if (known !== undefined) return known;
    const made = new Map<number, Set<FlowEntry>>();
    for (const list of this.byHash.values()) {
      for (const entry of list) addTo(made, hashOf(shape, valuesOfMatch(entry.match)), entry);
    }
    this.groups.set(shape, made);
    return made;
  }
}

function addTo(group: Map<number, Set<FlowEntry>>, hash: number, entry: FlowEntry): void {
  const set = group.get(hash);
  if (set === undefined) group.set(hash, new Set([entry]));
  else set.add(entry);
}
