import { isConstrained, type Cube } from './cube.ts';
import { ValueTable, type FieldIndex } from './field-index.ts';
import { ALL, DL_TYPE, NW_DST, NW_PROTO, NW_SRC, NW_TOS, PCP } from './fields.ts';
import { PrefixTree } from './prefix-tree.ts';
import type { Rule } from './rule.ts';
import { valueOf, valuesOf, type SymbolicHeader } from './symbolic-header.ts';
import { has, meets, type ValueSet } from './value-set.ts';

/** An index by one field, of those by the next field, and so on; or a few rules. */
type Level = FieldIndex<Level> | Rule[];

/** So many rules are compared one by one. More of them get an index by the next field. */
const FEW = 4;

/** Whether a single value has at most one place in the level. */
const isExact = (level: FieldIndex<Level>): level is ValueTable<Level> => level instanceof ValueTable && level.isExact;

/** Most rules have the same values in these fields. */
const alike: ReadonlySet<number> = new Set([PCP, DL_TYPE, NW_TOS, NW_PROTO]);

const extentOf = (values: ValueSet): number => (values.at(-1) as number) - (values[0] as number) + 1;

/** Rules that constrain the same fields, with an index for each field that headers were asked for by. */
export class RuleGroup {
  private readonly rules = new Set<Rule>();
  private readonly fields: readonly number[];
  /** Those that an index may begin with. */
  private readonly leading: readonly number[];
  /** By the field of their first level. */
  private readonly indexes = new Map<number, RuleIndex>();

  constructor({ cube }: Rule) {
    this.fields = Array.from(cube.keys()).filter((field) => isConstrained(cube, field));
    const telling = this.fields.filter((field) => !alike.has(field));
    this.leading = telling.length > 0 ? telling : this.fields.slice(0, 1);
  }

  add(rule: Rule): void {
    this.rules.add(rule);
    for (const index of this.indexes.values()) index.add(rule);
  }

  /** Whether the group is empty then. */
  remove(rule: Rule): boolean {
    this.rules.delete(rule);
    for (const index of this.indexes.values()) index.remove(rule);
    return this.rules.size === 0;
  }

  /** Adds the rules whose match some of the headers meet. */
  collect(headers: SymbolicHeader, found: Rule[]): void {
    if (this.fields.length === 0) for (const rule of this.rules) found.push(rule);
    else this.indexBy(this.narrowest(headers)).collect(headers, found);
  }

  /** The field in which the headers have the smallest share of all values. */
  private narrowest({ start, set }: SymbolicHeader): number {
    let narrowest = this.leading[0] as number;
    let least = Infinity;
    for (const field of this.leading) {
      const [values, all] = [start[field] as ValueSet, ALL[field] as ValueSet];
      const share = (set[field] === undefined ? extentOf(values) : 1) / extentOf(all);
      if (share < least) [narrowest, least] = [field, share];
    }
    return narrowest;
  }

  private indexBy(field: number): RuleIndex {
    const known = this.indexes.get(field);
    if (known !== undefined) return known;
    const made = new RuleIndex([field, ...this.fields.filter((other) => other !== field)]);
    for (const rule of this.rules) made.add(rule);
    this.indexes.set(field, made);
    return made;
  }
}

/** A level of the index for each field, as far as there are many rules. */
class RuleIndex {
  private root: Level = [];

  constructor(private readonly fields: readonly number[]) {}

  add(rule: Rule): void {
    this.root = this.withRule(this.root, 0, rule);
  }

  remove(rule: Rule): void {
    this.removeFrom(this.root, rule, 0);
  }

  /** Adds the rules whose match some of the headers meet. */
  collect(headers: SymbolicHeader, found: Rule[]): void {
    this.collectFrom(this.root, 0, headers, found);
  }

  /** The level with one more rule: the same, or an index in the place of a list that is too long. */
  private withRule(level: Level, depth: number, rule: Rule): Level {
    const field = this.fields[depth];
    if (Array.isArray(level)) {
      level.push(rule);
      if (level.length <= FEW || field === undefined) return level;
      let index: Level = field === NW_SRC || field === NW_DST ? new PrefixTree() : new ValueTable();
      for (const one of level) index = this.withRule(index, depth, one);
      return index;
    }
    const { first, size } = this.rangeAt(rule.cube, depth);
    const next = level.get(first, size);
    const changed = this.withRule(next ?? [], depth + 1, rule);
    if (changed !== next) level.set(first, size, changed);
    return level;
  }

  /** Whether the level is empty then. */
  private removeFrom(level: Level, rule: Rule, depth: number): boolean {
    if (Array.isArray(level)) {
      level.splice(level.indexOf(rule), 1);
      return level.length === 0;
    }
    const { first, size } = this.rangeAt(rule.cube, depth);
    const next = level.get(first, size);
    if (next === undefined || !this.removeFrom(next, rule, depth + 1)) return false;
    level.delete(first, size);
    return level.isEmpty;
  }

  private collectFrom(top: Level, from: number, headers: SymbolicHeader, found: Rule[]): void {
    let level: Level | undefined = top;
    for (let depth = from; level !== undefined; depth++) {
      if (Array.isArray(level)) {
        for (const rule of level) if (this.isMet(rule, depth, headers)) found.push(rule);
        return;
      }
      const field = this.fields[depth] as number;
      const value = valueOf(headers, field);
      if (value === undefined || !isExact(level)) {
        const next = depth + 1;
        level.forEachMeeting(valuesOf(headers, field), (below) => this.collectFrom(below, next, headers, found));
        return;
      }
      level = level.get(value, 1);
    }
  }

  /** Whether some of the headers meet the match in the fields from this level on. */
  private isMet({ cube }: Rule, from: number, { start, set }: SymbolicHeader): boolean {
    for (let depth = from; depth < this.fields.length; depth++) {
      const field = this.fields[depth] as number;
      const wanted = cube[field] as ValueSet;
      const value = set[field];
      const meeting =
        value === undefined
          ? meets(start[field] as ValueSet, wanted[0] as number, wanted[1] as number)
          : has(wanted, value);
      if (!meeting) return false;
    }
    return true;
  }

  /** The values of a field that the match has: one value, a prefix, or all tags. */
  private rangeAt(cube: Cube, depth: number): { readonly first: number; readonly size: number } {
    const [first, last] = cube[this.fields[depth] as number] as readonly [number, number];
    return { first, size: last - first + 1 };
  }
}
