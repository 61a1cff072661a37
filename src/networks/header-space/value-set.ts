/** A set of whole numbers, as sorted ranges without overlap: [from, to, from, to, …], with both ends. Never changed. */
export type ValueSet = readonly number[];

export const only = (value: number): ValueSet => [value, value];

export const range = (from: number, to: number): ValueSet => [from, to];

/** The numbers of a list in any order. */
export const setOf = (values: readonly number[]): ValueSet =>
  [...new Set(values)].toSorted((a, b) => a - b).flatMap((value) => [value, value]);

/** The only number of the set; undefined if it has several. */
export const singleOf = (set: ValueSet): number | undefined =>
  set.length === 2 && set[0] === set[1] ? set[0] : undefined;

/** The place of the first range that ends at or after the value, by binary search; the length of the set if none does. */
function placeOf(set: ValueSet, value: number): number {
  let [from, to] = [0, set.length >> 1];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((set[2 * middle + 1] as number) < value) from = middle + 1;
    else to = middle;
  }
  return 2 * from;
}

export const has = (set: ValueSet, value: number): boolean => meets(set, value, value);

/** Whether the set has a number from `low` to `high`. */
export function meets(set: ValueSet, low: number, high: number): boolean {
  const at = placeOf(set, low);
  return at < set.length && (set[at] as number) <= high;
}

/** Whether the set has all numbers from `low` to `high`. */
export function holds(set: ValueSet, low: number, high: number): boolean {
  const at = placeOf(set, low);
  return at < set.length && (set[at] as number) <= low && (set[at + 1] as number) >= high;
}

const NOTHING: ValueSet = [];

/** The numbers of both sets; the first set itself if it is part of the other, or the other way round. */
export function intersection(one: ValueSet, other: ValueSet): ValueSet {
  if (one === other) return one;
  if (one.length === 2) return inRange(other, one);
  if (other.length === 2) return inRange(one, other);
  const both: number[] = [];
  let [left, right] = [0, 0];
  while (left < one.length && right < other.length) {
    const from = Math.max(one[left] as number, other[right] as number);
    const [endOne, endOther] = [one[left + 1] as number, other[right + 1] as number];
    const to = Math.min(endOne, endOther);
    if (from <= to) both.push(from, to);
    if (endOne <= endOther) left += 2;
    if (endOther <= endOne) right += 2;
  }
  return both;
}

/** The numbers of a set that are in one range: without looking at the others. */
function inRange(set: ValueSet, span: ValueSet): ValueSet {
  const [low, high] = span as readonly [number, number];
  const at = placeOf(set, low);
  if (at === set.length || (set[at] as number) > high) return NOTHING;
  if ((set[at] as number) <= low && (set[at + 1] as number) >= high) return span;
  if (at === 0 && (set[0] as number) >= low && (set.at(-1) as number) <= high) return set;
  const end = placeOf(set, high + 1);
  const both = set.slice(at, end < set.length && (set[end] as number) <= high ? end + 2 : end);
  both[0] = Math.max(both[0] as number, low);
  both[both.length - 1] = Math.min(both.at(-1) as number, high);
  return both;
}

/** The numbers of ranges in any order. */
export function unionOf(ranges: readonly ValueSet[]): ValueSet {
  const union: number[] = [];
  for (const [first = 0, last = 0] of ranges.toSorted((a, b) => (a[0] as number) - (b[0] as number))) {
    const end = union.at(-1);
    if (end === undefined || first > end + 1) union.push(first, last);
    else if (last > end) union[union.length - 1] = last;
  }
  return union;
}

/** The numbers of the first set that are not in the second. */
export function difference(one: ValueSet, other: ValueSet): ValueSet {
  const left: number[] = [];
  let at = one.length === 0 ? 0 : placeOf(other, one[0] as number);
  for (let index = 0; index < one.length; index += 2) {
    let from = one[index] as number;
    const to = one[index + 1] as number;
    while (at < other.length && (other[at + 1] as number) < from) at += 2;
    for (let next = at; next < other.length && (other[next] as number) <= to; next += 2) {
      if ((other[next] as number) > from) left.push(from, (other[next] as number) - 1);
      from = (other[next + 1] as number) + 1;
    }
    if (from <= to) left.push(from, to);
  }
  return left;
}
