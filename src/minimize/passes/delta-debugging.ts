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
 * The older variant, by halves: looks for a half that is enough, otherwise reduces each half in the presence of the
 * other. It asks less, but a single element of the result may still be droppable.
 */
export function* halving<T>(items: readonly T[], always: readonly T[] = []): Subsets<T> {
  if (items.length === 0) return [];
  if (items.length === 1) return (yield always) ? [] : items;
  const [first = [], second = []] = split(items, 2);
  if (yield [...first, ...always]) return yield* halving(first, always);
  if (yield [...second, ...always]) return yield* halving(second, always);
  const one: readonly T[] = yield* halving(first, [...second, ...always]);
  const other: readonly T[] = yield* halving(second, [...one, ...always]);
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
