/** Suggests the nearest known name: `: did you mean receive?`. The text is empty if no name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? '' : `: did you mean ${near}?`;
}

/** A third of the letters may differ, and three at most: names that differ in more have nothing to do with each other. */
const FARTHEST = 3;

/** A name that begins with at least so many letters in common is near, too: `steps` for `stepsMax`. */
const SHORTEST = 3;

/** Longer names are not typed by hand, and comparing them takes long. */
const LONGEST = 100;

/** Of the names that are known, the one that was probably meant. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const distances = known.map((other) => ({
    other,
    distance: distanceBetween(name.toLowerCase(), other.toLowerCase()),
  }));
  const near = distances.filter(
    ({ other, distance }) => distance <= Math.min(FARTHEST, Math.floor(Math.max(name.length, other.length) / 3)),
  );
  const isBegun = (other: string): boolean =>
    name.length >= SHORTEST && other.toLowerCase().startsWith(name.toLowerCase());
  return near.toSorted((one, another) => one.distance - another.distance)[0]?.other ?? known.find(isBegun);
}

/** How many letters have to be added, left out, replaced, or swapped with the next, to make one of the other. */
function distanceBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        at(rows, i - 1, j) + 1,
        (row[j - 1] as number) + 1,
        at(rows, i - 1, j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(rows, i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(row);
  }
  return at(rows, one.length, other.length);
}

const at = (rows: readonly (readonly number[])[], i: number, j: number): number => rows[i]?.[j] as number;
