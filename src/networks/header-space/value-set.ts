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

/** By binary search for the last range that begins at or before the value. */
export function has(set: ValueSet, value: number): boolean {
  let [from, to] = [0, set.length >> 1];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((set[2 * middle] as number) <= value) from = middle + 1;
    else to = middle;
  }
  return from > 0 && value <= (set[2 * from - 1] as number);
}

/** Whether the set has a number from `low` to `high`. */
export function meets(set: ValueSet, low: number, high: number): boolean {
  for (let at = 0; at < set.length; at += 2) {
    if ((set[at + 1] as number) >= low) return (set[at] as number) <= high;
  }
  return false;
}

const NOTHING: ValueSet = [];

/** The numbers of both sets; one of the sets itself if it is part of the other. */
export function intersection(one: ValueSet, other: ValueSet): ValueSet {
  if (one === other) return one;
  const [first, second] = [singleOf(one), singleOf(other)];
  if (first !== undefined) return has(other, first) ? one : NOTHING;
  if (second !== undefined) return has(one, second) ? other : NOTHING;
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

/** The numbers of the first set that are not in the second. */
export function difference(one: ValueSet, other: ValueSet): ValueSet {
  const left: number[] = [];
  let at = 0;
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
