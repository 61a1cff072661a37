/** Yields a subset, and receives whether it is enough. */
export type Subsets<T> = Generator<readonly T[], readonly T[], boolean>;

/**
 * Zeller and Hildebrandt's ddmin: tries ever smaller parts and their complements. No single element of the result can
 * be dropped.
 */
export function* ddmin<T>(items: readonly T[]): Subsets<T> {
  let kept = items;
  for (let parts = 2; kept.length >= 2;) {
    const chunks = split(kept, parts);
    const smaller: readonly T[] | undefined =
      (yield* firstEnough(chunks)) ?? (parts > 2 ? yield* firstEnough(complements(kept, chunks)) : undefined);
    if (smaller !== undefined) {
      parts = chunks.includes(smaller as T[]) ? 2 : Math.max(parts - 1, 2);
      kept = smaller;
    } else if (parts >= kept.length) break;
    else parts = Math.min(2 * parts, kept.length);
  }
  return kept.length === 1 && (yield []) ? [] : kept;
}

/**
 * Zeller's ddmin of 1999, by halves: looks for a half that is enough, otherwise reduces each half in the presence of the other. Of n
 * elements that are all needed it asks 2(n - 1) questions, and never more than one besides. Where more is not always enough, a single
 * element of the result may still be droppable. The other half is taken as far as it is reduced, and not as a whole as in the paper: so
 * the result is always a set that was asked about.
 */
export const ddmin1999 = <T>(items: readonly T[]): Subsets<T> => byHalves(items, [], false);

/** The same, which asks once more about every element that it finds. */
export const halving = <T>(items: readonly T[]): Subsets<T> => byHalves(items, [], true);

function* byHalves<T>(items: readonly T[], always: readonly T[], asksAgain: boolean): Subsets<T> {
  if (items.length === 0) return [];
  // Without the element, the rest was not enough, unless nothing was asked without it: then nothing at all may be enough.
  const isOpen = asksAgain || always.length === 0;
  if (items.length === 1) return isOpen && (yield always) ? [] : items;
  const [first = [], second = []] = split(items, 2);
  if (yield [...first, ...always]) return yield* byHalves(first, always, asksAgain);
  if (yield [...second, ...always]) return yield* byHalves(second, always, asksAgain);
  const one: readonly T[] = yield* byHalves(first, [...second, ...always], asksAgain);
  const other: readonly T[] = yield* byHalves(second, [...one, ...always], asksAgain);
  return [...one, ...other];
}

function* firstEnough<T>(
  candidates: readonly (readonly T[])[],
): Generator<readonly T[], readonly T[] | undefined, boolean> {
  for (const candidate of candidates) if (yield candidate) return candidate;
  return undefined;
}

/** Splits a list into parts of nearly equal size. */
function split<T>(items: readonly T[], parts: number): T[][] {
  return Array.from({ length: parts }, (_, part) =>
    items.slice(Math.floor((part * items.length) / parts), Math.floor(((part + 1) * items.length) / parts)),
  );
}

const complements = <T>(items: readonly T[], chunks: readonly (readonly T[])[]): T[][] =>
  chunks.map((chunk) => items.filter((item) => !chunk.includes(item)));
