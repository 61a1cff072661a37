import type { FieldIndex } from './field-index.ts';
import { holds, meets, type ValueSet } from './value-set.ts';

/** A range of addresses that a prefix has, or the smallest one around two of them. */
interface Node<T> {
  readonly first: number;
  readonly size: number;
  /** Undefined where two prefixes part. */
  item: T | undefined;
  low: Node<T> | undefined;
  high: Node<T> | undefined;
}

/**
 * Items by prefixes, as a binary tree in which every range is within the one above it (Morrison, PATRICIA, 1968). Those that
 * meet a set of addresses are found without looking at the others.
 */
export class PrefixTree<T> implements FieldIndex<T> {
  private root: Node<T> | undefined;

  get isEmpty(): boolean {
    return this.root === undefined;
  }

  get(first: number, size: number): T | undefined {
    let node = this.root;
    while (node !== undefined && isWithin(first, node)) {
      if (node.size === size) return node.item;
      node = sideOf(node, first);
    }
    return undefined;
  }

  set(first: number, size: number, item: T): void {
    this.root = this.placed(this.root, { first, size, item, low: undefined, high: undefined });
  }

  delete(first: number, size: number): void {
    this.root = this.without(this.root, first, size);
  }

  forEachMeeting(values: ValueSet, visit: (item: T) => void): void {
    if (values.length === 2) visitInRange(this.root, values[0] as number, values[1] as number, visit);
    else visitMeeting(this.root, values, visit);
  }

  private placed(node: Node<T> | undefined, added: Node<T>): Node<T> {
    if (node === undefined) return added;
    if (isWithin(added.first, node) && added.size <= node.size) {
      if (added.size === node.size) node.item = added.item;
      else if (isLow(node, added.first)) node.low = this.placed(node.low, added);
      else node.high = this.placed(node.high, added);
      return node;
    }
    const above = isWithin(node.first, added) && node.size < added.size ? added : around<T>(node, added);
    if (isLow(above, node.first)) above.low = node;
    else above.high = node;
    if (above === added) return above;
    if (isLow(above, added.first)) above.low = added;
    else above.high = added;
    return above;
  }

  private without(node: Node<T> | undefined, first: number, size: number): Node<T> | undefined {
    if (node === undefined || !isWithin(first, node)) return node;
    if (node.size === size) node.item = undefined;
    else if (isLow(node, first)) node.low = this.without(node.low, first, size);
    else node.high = this.without(node.high, first, size);
    const needed = node.item !== undefined || (node.low !== undefined && node.high !== undefined);
    return needed ? node : (node.low ?? node.high);
  }
}

const isWithin = (address: number, { first, size }: { first: number; size: number }): boolean =>
  address >= first && address < first + size;

const isLow = ({ first, size }: { first: number; size: number }, address: number): boolean =>
  address < first + size / 2;

const sideOf = <T>(node: Node<T>, address: number): Node<T> | undefined =>
  isLow(node, address) ? node.low : node.high;

/** The smallest range that begins at a multiple of its size and has both. */
function around<T>(one: Node<T>, other: Node<T>): Node<T> {
  let size = 2 * Math.max(one.size, other.size);
  while (Math.floor(one.first / size) !== Math.floor(other.first / size)) size *= 2;
  return { first: one.first - (one.first % size), size, item: undefined, low: undefined, high: undefined };
}

/** Follows one way down as long as the addresses are on one side. */
function visitInRange<T>(top: Node<T> | undefined, low: number, high: number, visit: (item: T) => void): void {
  let node = top;
  while (node !== undefined) {
    const end = node.first + node.size;
    if (high < node.first || low >= end) return;
    if (low <= node.first && high >= end - 1) {
      visitAll(node, visit);
      return;
    }
    if (node.item !== undefined) visit(node.item);
    if (high < node.first + node.size / 2) node = node.low;
    else {
      if (isLow(node, low)) visitInRange(node.low, low, high, visit);
      node = node.high;
    }
  }
}

function visitMeeting<T>(node: Node<T> | undefined, values: ValueSet, visit: (item: T) => void): void {
  if (node === undefined || !meets(values, node.first, node.first + node.size - 1)) return;
  if (holds(values, node.first, node.first + node.size - 1)) {
    visitAll(node, visit);
    return;
  }
  if (node.item !== undefined) visit(node.item);
  visitMeeting(node.low, values, visit);
  visitMeeting(node.high, values, visit);
}

function visitAll<T>(node: Node<T> | undefined, visit: (item: T) => void): void {
  if (node === undefined) return;
  if (node.item !== undefined) visit(node.item);
  visitAll(node.low, visit);
  visitAll(node.high, visit);
}
