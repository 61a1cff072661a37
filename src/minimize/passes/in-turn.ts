import type { CandidateSchedule } from '../pass.ts';

/** A way to make the execution simpler, and the candidate that tries it. */
type Attempt<T> = readonly [way: T, candidate: CandidateSchedule];

/**
 * Tries ways one after another, for as long as the caller asks for more. Each candidate comes with those after it: they are what the
 * pass asks about next unless it accepts an answer. No way is looked for before it is needed, and each is turned into a candidate once.
 */
export function* inTurn<T>(ways: Iterable<T>, candidateOf: (way: T) => CandidateSchedule): Generator<Attempt<T>> {
  const source = ways[Symbol.iterator]();
  /** By number, those that were looked for and not tried yet. */
  const found = new Map<number, Attempt<T>>();
  let [tried, all] = [0, 0];
  const attempt = (nth: number): Attempt<T> | undefined => {
    if (nth < all) return found.get(nth);
    const next = source.next();
    if (next.done === true) return undefined;
    const made = [next.value, candidateOf(next.value)] as const;
    found.set(all++, made);
    return made;
  };
  const after = {
    *[Symbol.iterator](): Generator<CandidateSchedule> {
      for (let nth = tried, next; (next = attempt(Math.max(nth, tried))) !== undefined; nth = Math.max(nth, tried) + 1)
        yield next[1];
    },
  };
  const upcoming = { candidates: after, areCertain: false };
  for (let next; (next = attempt(tried)) !== undefined;) {
    found.delete(tried++);
    yield [next[0], { ...next[1], upcoming }];
  }
}
