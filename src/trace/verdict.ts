/** The verdict of an oracle about an execution. Unknown never counts as holds. */
export type Verdict = Holds | Violated | Unknown;

/** Nothing is wrong. */
export interface Holds {
  readonly kind: 'holds';
}

/** Something is wrong. */
export interface Violated {
  readonly kind: 'violated';
  /** The oracle's name, such as `mutualExclusion`. */
  readonly oracle: string;
  /** A message for readers: which processes and which values. */
  readonly message: string;
  /** The processes the violation is about. */
  readonly processes: readonly string[];
  /** The evidence, by name. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Equal for violations that count as the same bug. */
  readonly fingerprint: string;
  /** For an oracle that judges late: the number of events after which the violation existed. */
  readonly events?: number;
}

/** It is not known whether something is wrong; never counts as *holds*. */
export interface Unknown {
  readonly kind: 'unknown';
  /** What the oracle would have to know, as a sentence. */
  readonly why: string;
  /**
   * Whether the execution lacks what the oracle judges, such as the final reads. Then it is not violated as far as it got, and only a longer
   * one could be. Otherwise the oracle could not decide.
   */
  readonly isUnfinished?: boolean;
}

export const HOLDS: Holds = { kind: 'holds' };

/** Whether an execution may be violated, for all that is known. */
export const isUndecided = (verdict: Verdict | undefined): verdict is Unknown =>
  verdict?.kind === 'unknown' && verdict.isUnfinished !== true;

/**
 * A value that shows a violation, in words of its own, as the hop of a packet has them; the rest of it is for programs. One text, or one for each
 * object of a list; undefined if it has none.
 */
export function wordsIn(value: unknown): readonly string[] | undefined {
  const all = Array.isArray(value) ? value : [value];
  const words = all.flatMap((one: unknown) => {
    const { words: own } = (typeof one === 'object' && one !== null ? one : {}) as { readonly words?: unknown };
    return typeof own === 'string' ? [own] : [];
  });
  return words.length > 0 && words.length === all.length ? words : undefined;
}
