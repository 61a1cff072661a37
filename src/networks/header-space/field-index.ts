import { meets, singleOf, type ValueSet } from './value-set.ts';

/** Items by ranges of the values of one field. A range begins at a multiple of its size, as prefixes do. */
export interface FieldIndex<T> {
  readonly isEmpty: boolean;
  get(first: number, size: number): T | undefined;
  set(first: number, size: number, item: T): void;
  delete(first: number, size: number): void;
  /** Tells of the items whose ranges have one of the values. */
  forEachMeeting(values: ValueSet, visit: (item: T) => void): void;
}

/** For fields in which most matches have one value: by value, and the few wider ranges by their sizes. */
export class ValueTable<T> implements FieldIndex<T> {
  private readonly single = new Map<number, T>();
  private wider: Map<number, Map<number, T>> | undefined;

  get isEmpty(): boolean {
    return this.single.size === 0 && this.isExact;
  }

  /** Whether all ranges have one value. */
  get isExact(): boolean {
    return this.wider === undefined;
  }

  get(first: number, size: number): T | undefined {
    return size === 1 ? this.single.get(first) : this.wider?.get(size)?.get(first);
  }

  set(first: number, size: number, item: T): void {
    if (size === 1) {
      this.single.set(first, item);
      return;
    }
    this.wider ??= new Map();
    const items = this.wider.get(size);
    if (items === undefined) this.wider.set(size, new Map([[first, item]]));
    else items.set(first, item);
  }

  delete(first: number, size: number): void {
    if (size === 1) {
      this.single.delete(first);
      return;
    }
    const items = this.wider?.get(size);
    items?.delete(first);
    if (items?.size === 0) this.wider?.delete(size);
    if (this.wider?.size === 0) this.wider = undefined;
  }

  forEachMeeting(values: ValueSet, visit: (item: T) => void): void {
    visitMeeting(values, 1, this.single, visit);
    for (const [size, items] of this.wider ?? []) visitMeeting(values, size, items, visit);
  }
}

function visitMeeting<T>(
  values: ValueSet,
  size: number,
  items: ReadonlyMap<number, T>,
  visit: (item: T) => void,
): void {
  const value = singleOf(values);
  if (value !== undefined) visitIf(items.get(firstOf(value, size)), visit);
  else if (rangesIn(values, size) < items.size) visitEach(values, size, items, visit);
  else for (const [first, item] of items) if (meets(values, first, first + size - 1)) visit(item);
}

const firstOf = (value: number, size: number): number => Math.floor(value / size) * size;

function visitIf<T>(item: T | undefined, visit: (item: T) => void): void {
  if (item !== undefined) visit(item);
}

/** At most so many ranges of this size have one of the values. */
function rangesIn(values: ValueSet, size: number): number {
  let count = 0;
  for (let at = 0; at < values.length; at += 2) {
    count += Math.floor((values[at + 1] as number) / size) - Math.floor((values[at] as number) / size) + 1;
  }
  return count;
}

function visitEach<T>(values: ValueSet, size: number, items: ReadonlyMap<number, T>, visit: (item: T) => void): void {
  let next = -Infinity;
  for (let at = 0; at < values.length; at += 2) {
    // The last range may have been that of the values before, too.
    let first = Math.max(next, firstOf(values[at] as number, size));
    for (; first <= (values[at + 1] as number); first += size) visitIf(items.get(first), visit);
    next = Math.max(next, first);
  }
}
