import type { FlowEntry } from '../switch/flow-table.ts';
import { isConstrained, withSet, type Cube } from './cube.ts';
import { FIELD_COUNT } from './fields.ts';
import { byPrecedence, ruleOf, type Rule } from './rule.ts';
import { RuleGroup } from './rule-group.ts';
import { headersFrom, inCube, outsideCube, type SymbolicHeader } from './symbolic-header.ts';
import { difference, has, intersection, unionOf, type ValueSet } from './value-set.ts';

/** Headers that one entry of a table takes. */
export interface Hit {
  readonly rule: Rule;
  readonly headers: SymbolicHeader;
}

/** More rules than this are not compared one by one: the index finds those that overlap. */
const FEW = 8;

/** The flow entries of a switch, with an index by the fields that they constrain. */
export class RuleTable {
  private readonly rules = new Map<FlowEntry, Rule>();
  private readonly groups = new Map<number, RuleGroup>();
  private readonly rewriting = new Set<Rule>();
  private lastOrder = 0;

  get all(): Iterable<Rule> {
    return this.rules.values();
  }

  ruleOf(entry: FlowEntry): Rule | undefined {
    return this.rules.get(entry);
  }

  /** `order` is that of an entry in whose place this one comes; by default it is the youngest. */
  add(entry: FlowEntry, order = ++this.lastOrder): Rule | undefined {
    const rule = ruleOf(entry, order);
    if (rule === undefined) return undefined;
    this.rules.set(entry, rule);
    if (rule.rewrites) this.rewriting.add(rule);
    const mask = maskOf(rule);
    let group = this.groups.get(mask);
    if (group === undefined) this.groups.set(mask, (group = new RuleGroup(rule)));
    group.add(rule);
    return rule;
  }

  remove(entry: FlowEntry): Rule | undefined {
    const rule = this.rules.get(entry);
    if (rule === undefined) return undefined;
    this.rules.delete(entry);
    this.rewriting.delete(rule);
    const mask = maskOf(rule);
    const group = this.groups.get(mask);
    if (group?.remove(rule) === true) this.groups.delete(mask);
    return rule;
  }

  /** The rules whose match some of the headers meet, in the order of the table. */
  overlapping(headers: SymbolicHeader): Rule[] {
    const found = this.meeting(headers);
    return found.length > 1 ? found.sort(byPrecedence) : found;
  }

  /** In any order. */
  private meeting(headers: SymbolicHeader): Rule[] {
    const found: Rule[] = [];
    for (const group of this.groups.values()) group.collect(headers, found);
    return found;
  }

  /** Which entry takes which of the headers. Those that no entry takes are left out. */
  hits(headers: SymbolicHeader): Hit[] {
    const rules = this.overlapping(headers);
    if (rules.length === 1) return hitsOf(rules[0] as Rule, headers);
    const found: Hit[] = [];
    for (let index = 0; index < rules.length; index++) {
      const rule = rules[index] as Rule;
      const matching = inCube(headers, rule.cube);
      if (matching === undefined) continue;
      const earlier = index === 0 ? [] : index <= FEW ? rules.slice(0, index) : this.earlierThan(rule, matching);
      for (const left of takenFrom(matching, earlier)) found.push({ rule, headers: left });
      // The entry takes all that is left.
      if (matching.start === headers.start) break;
    }
    return found;
  }

  /** Whether no entry takes some of the headers. */
  misses(headers: SymbolicHeader): boolean {
    return takenFrom(headers, this.overlapping(headers)).length > 0;
  }

  /** The headers that this entry takes. */
  takenBy(rule: Rule, headers: SymbolicHeader): readonly SymbolicHeader[] {
    const matching = inCube(headers, rule.cube);
    return matching === undefined ? [] : takenFrom(matching, this.earlierThan(rule, matching));
  }

  /** The headers that this entry takes, or all that it matches if they are in many parts. */
  concerns(rule: Rule): readonly Cube[] {
    const parts = this.takenBy(rule, headersFrom(rule.cube));
    return parts.length > FEW ? [rule.cube] : parts.map(({ start }) => start);
  }

  /** The rules that may turn headers into these: those that they meet, and those that set fields. */
  *candidatesBefore(headers: SymbolicHeader): Iterable<Rule> {
    for (const rule of this.overlapping(headers)) if (!rule.rewrites) yield rule;
    yield* this.rewriting;
  }

  private earlierThan(rule: Rule, headers: SymbolicHeader): Rule[] {
    const met = this.meeting(headers);
    // Most entries are the only ones for their headers.
    return met.length === 1 && met[0] === rule ? [] : met.filter((other) => byPrecedence(other, rule) < 0);
  }
}

/** What the only rule takes that the headers meet. */
function hitsOf(rule: Rule, headers: SymbolicHeader): Hit[] {
  const matching = inCube(headers, rule.cube);
  return matching === undefined ? [] : [{ rule, headers: matching }];
}

/** The headers that none of these rules matches. */
function takenFrom(headers: SymbolicHeader, earlier: readonly Rule[]): readonly SymbolicHeader[] {
  if (earlier.length <= FEW) return outsideAll(headers, earlier);
  const { left, others } = outsideRanges(headers, earlier);
  return left === undefined ? [] : outsideAll(left, others);
}

function outsideAll(headers: SymbolicHeader, rules: readonly Rule[]): readonly SymbolicHeader[] {
  let left: readonly SymbolicHeader[] = [headers];
  for (const { cube } of rules) {
    if (left.length === 0) break;
    left =
      left.length === 1 ? outsideCube(left[0] as SymbolicHeader, cube) : left.flatMap((one) => outsideCube(one, cube));
  }
  return left;
}

/**
 * Takes away at once what rules match that leave out some of the headers by a single field: the longer prefixes within one, for
 * example. The other rules remain. Undefined if nothing is left.
 */
function outsideRanges(
  headers: SymbolicHeader,
  rules: readonly Rule[],
): { readonly left: SymbolicHeader | undefined; readonly others: readonly Rule[] } {
  const ranges = new Map<number, ValueSet[]>();
  const others: Rule[] = [];
  for (const rule of rules) {
    const fields = fieldsLeftOut(headers, rule.cube);
    if (fields === undefined) continue;
    const [field, ...more] = fields;
    if (field === undefined) return { left: undefined, others };
    if (more.length > 0) others.push(rule);
    else ranges.set(field, [...(ranges.get(field) ?? []), rule.cube[field] as ValueSet]);
  }
  let { start } = headers;
  for (const [field, sets] of ranges) {
    const left = difference(start[field] as ValueSet, unionOf(sets));
    if (left.length === 0) return { left: undefined, others };
    start = withSet(start, field, left);
  }
  return { left: { start, set: headers.set }, others };
}

/** The fields in which a match is not for all of the headers; undefined if it is for none. */
function fieldsLeftOut({ start, set }: SymbolicHeader, cube: Cube): readonly number[] | undefined {
  const fields: number[] = [];
  for (let field = 0; field < FIELD_COUNT; field++) {
    if (!isConstrained(cube, field)) continue;
    const [value, wanted] = [set[field], cube[field] as ValueSet];
    if (value !== undefined) {
      if (!has(wanted, value)) return undefined;
      continue;
    }
    const values = start[field] as ValueSet;
    const both = intersection(values, wanted);
    if (both.length === 0) return undefined;
    if (both !== values) fields.push(field);
  }
  return fields;
}

/** The constrained fields of a rule, as bits. */
function maskOf({ cube }: Rule): number {
  let mask = 0;
  for (let field = 0; field < FIELD_COUNT; field++) if (isConstrained(cube, field)) mask |= 1 << field;
  return mask;
}
