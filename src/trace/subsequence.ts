/** Matching indices: one on the left, one on the right. */
export type Pair = readonly [left: number, right: number];

/** The exact algorithm fills a table with a cell for each pair of items, for up to this many items on each side. */
const WINDOW = 1_000;

/**
 * A common subsequence of two lists: a longest one if the lists are short. In long lists, items that occur once on each
 * side are matched first, as far as that keeps the order; between such pairs a window moves over both lists, and only
 * the first half of its matches is used. So 20,000 items on each side take well under a second.
 */
export function common(left: readonly number[], right: readonly number[]): Pair[] {
  if (left.length <= WINDOW && right.length <= WINDOW) return longest(left, right);
  const anchors = inOrder(partners(once(left), once(right)));
  return filled(anchors, [left.length, right.length], (from, to) =>
    byWindows(left.slice(from[0], to[0]), right.slice(from[1], to[1])),
  );
}

/** The items that occur once in a list, with their indices. */
function once(values: readonly number[]): Map<number, number> {
  const found = new Map<number, number>();
  const again = new Set<number>();
  for (const [at, value] of values.entries()) {
    if (found.has(value)) again.add(value);
    found.set(value, at);
  }
  for (const value of again) found.delete(value);
  return found;
}

function byWindows(left: readonly number[], right: readonly number[]): Pair[] {
  const all: Pair[] = [];
  let [one, other] = [0, 0];
  while (one < left.length && other < right.length) {
    const isLast = left.length - one <= WINDOW && right.length - other <= WINDOW;
    const near = longest(left.slice(one, one + WINDOW), right.slice(other, other + WINDOW));
    const believed = isLast ? near : near.filter((pair) => Math.max(...pair) < WINDOW / 2);
    for (const pair of believed) all.push([one + pair[0], other + pair[1]]);
    const [toOne, toOther] = isLast ? [left.length, right.length] : onwards(believed.at(-1));
    one += toOne + 1;
    other += toOther + 1;
  }
  return all;
}

/** Continues after the last used pair. Every window costs the same, so it moves by a minimum part of its size. */
const onwards = (last: Pair | undefined): Pair => {
  if (last === undefined) return [WINDOW / 2, WINDOW / 2];
  return last[0] + last[1] >= WINDOW / 4 ? last : [WINDOW / 4, WINDOW / 4];
};

/** The pairs, completed by the pairs that `between` finds before, between and after them. */
export function filled(pairs: readonly Pair[], ends: Pair, between: (from: Pair, to: Pair) => readonly Pair[]): Pair[] {
  const all: Pair[] = [];
  let from: Pair = [0, 0];
  for (const to of [...pairs, ends]) {
    for (const [one, other] of between(from, to)) all.push([from[0] + one, from[1] + other]);
    if (to !== ends) all.push(to);
    from = [to[0] + 1, to[1] + 1];
  }
  return all;
}

/** The index of each name. Repeated names get a number, so that all are distinct. */
export function places(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  return new Map(
    names.map((name, at) => {
      const nth = (counts.get(name) ?? 0) + 1;
      counts.set(name, nth);
      return [`${name} ${nth}`, at];
    }),
  );
}

/** Pairs of indices with the same name, in the order of the left. */
export function partners<T>(left: ReadonlyMap<T, number>, right: ReadonlyMap<T, number>): Pair[] {
  return [...left].flatMap(([name, at]): Pair[] => {
    const place = right.get(name);
    return place === undefined ? [] : [[at, place]];
  });
}

/** A longest subset of the pairs that is ordered on the right as well: patience sorting, n log n. */
export function inOrder(pairs: readonly Pair[]): Pair[] {
  /** By length: the pair that ends the run of that length whose end is leftmost on the right side. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [at, [, right]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] as number] as Pair)[1] < right) low = middle + 1;
      else high = middle;
    }
    before.push(ends[low - 1]);
    ends[low] = at;
  }
  const run: Pair[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before[at]) run.push(pairs[at] as Pair);
  return run.reverse();
}

/** A longest common subsequence by the textbook table. Of several, the one whose pairs come first on the right. */
function longest(left: readonly number[], right: readonly number[]): Pair[] {
  const width = right.length + 1;
  const lengths = new Int32Array((left.length + 1) * width);
  for (let one = left.length - 1; one >= 0; one--) {
    for (let other = right.length - 1; other >= 0; other--) {
      const at = one * width + other;
      lengths[at] =
        left[one] === right[other]
          ? (lengths[at + width + 1] as number) + 1
          : Math.max(lengths[at + width] as number, lengths[at + 1] as number);
    }
  }
  const pairs: Pair[] = [];
  for (let one = 0, other = 0; one < left.length && other < right.length;) {
    const at = one * width + other;
    if (left[one] === right[other]) pairs.push([one++, other++]);
    else if ((lengths[at + width] as number) >= (lengths[at + 1] as number)) one++;
    else other++;
  }
  return pairs;
}
