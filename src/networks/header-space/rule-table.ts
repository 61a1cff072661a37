import type { FlowEntry } from '../switch/flow-table.ts';
import { isConstrained } from './cube.ts';
import { FIELD_COUNT } from './fields.ts';
import { byPrecedence, ruleOf, type Rule } from './rule.ts';
import { inCube, outsideCube, valueOf, valuesOf, type SymbolicHeader } from './symbolic-header.ts';
import { meets, type ValueSet } from './value-set.ts';

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
    const found: Rule[] = [];
    for (const group of this.groups.values()) group.collect(headers, found);
    return found.length > 1 ? found.sort(byPrecedence) : found;
  }

  /** Which entry takes which of the headers. Those that no entry takes are left out. */
  hits(headers: SymbolicHeader): Hit[] {
    const found: Hit[] = [];
    const rules = this.overlapping(headers);
    for (const [index, rule] of rules.entries()) {
      const matching = inCube(headers, rule.cube);
      if (matching === undefined) continue;
      const earlier = index <= FEW ? rules.slice(0, index) : this.earlierThan(rule, matching);
      for (const left of takenFrom(matching, earlier)) found.push({ rule, headers: left });
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

  /** The rules that may turn headers into these: those that they meet, and those that set fields. */
  *candidatesBefore(headers: SymbolicHeader): Iterable<Rule> {
    for (const rule of this.overlapping(headers)) if (!rule.rewrites) yield rule;
    yield* this.rewriting;
  }

  private earlierThan(rule: Rule, headers: SymbolicHeader): Rule[] {
    return this.overlapping(headers).filter((other) => byPrecedence(other, rule) < 0);
  }
}

/** The headers that none of these rules matches. */
function takenFrom(headers: SymbolicHeader, earlier: readonly Rule[]): readonly SymbolicHeader[] {
  let left: readonly SymbolicHeader[] = [headers];
  for (const { cube } of earlier) {
    if (left.length === 0) break;
    left =
      left.length === 1 ? outsideCube(left[0] as SymbolicHeader, cube) : left.flatMap((one) => outsideCube(one, cube));
  }
  return left;
}

/** The constrained fields of a rule, as bits. */
function maskOf({ cube }: Rule): number {
  let mask = 0;
  for (let field = 0; field < FIELD_COUNT; field++) if (isConstrained(cube, field)) mask |= 1 << field;
  return mask;
}

/** By the size of a range of values, and its first value. A range begins at a multiple of its size, as prefixes do. */
type Level = Map<number, Map<number, Node>>;
type Node = Level | Rule[];

/** Rules that constrain the same fields: a level of the index for each of these fields. */
class RuleGroup {
  private readonly fields: readonly number[];
  private readonly root: Node;

  constructor({ cube }: Rule) {
    this.fields = Array.from(cube.keys()).filter((field) => isConstrained(cube, field));
    this.root = this.emptyNode(0);
  }

  add(rule: Rule): void {
    let node = this.root;
    for (let depth = 0; !Array.isArray(node); depth++) {
      const [first, size] = this.rangeAt(rule, depth);
      let bySize = node.get(size);
      if (bySize === undefined) node.set(size, (bySize = new Map()));
      let next = bySize.get(first);
      if (next === undefined) bySize.set(first, (next = this.emptyNode(depth + 1)));
      node = next;
    }
    node.push(rule);
  }

  /** Whether the group is empty then. */
  remove(rule: Rule): boolean {
    return this.removeFrom(this.root, rule, 0);
  }

  collect(headers: SymbolicHeader, found: Rule[]): void {
    this.collectFrom(this.root, 0, headers, found);
  }

  private emptyNode(depth: number): Node {
    return depth === this.fields.length ? [] : new Map();
  }

  /** Whether the node is empty then. */
  private removeFrom(node: Node, rule: Rule, depth: number): boolean {
    if (Array.isArray(node)) {
      node.splice(node.indexOf(rule), 1);
      return node.length === 0;
    }
    const [first, size] = this.rangeAt(rule, depth);
    const bySize = node.get(size);
    const next = bySize?.get(first);
    if (bySize === undefined || next === undefined || !this.removeFrom(next, rule, depth + 1)) return false;
    bySize.delete(first);
    if (bySize.size === 0) node.delete(size);
    return node.size === 0;
  }

  private collectFrom(node: Node | undefined, depth: number, headers: SymbolicHeader, found: Rule[]): void {
    if (node === undefined) return;
    if (Array.isArray(node)) {
      for (const rule of node) found.push(rule);
      return;
    }
    const field = this.fields[depth] as number;
    const value = valueOf(headers, field);
    if (value !== undefined) {
      for (const [size, bySize] of node)
        this.collectFrom(bySize.get(value - (value % size)), depth + 1, headers, found);
      return;
    }
    const values = valuesOf(headers, field);
    for (const [size, bySize] of node) {
      for (const [first, next] of bySize) {
        if (meets(values, first, first + size - 1)) this.collectFrom(next, depth + 1, headers, found);
      }
    }
  }

  private rangeAt({ cube }: Rule, depth: number): [first: number, size: number] {
    const [first, last] = cube[this.fields[depth] as number] as ValueSet as readonly [number, number];
    return [first, last - first + 1];
  }
}
