/** What an oracle says of an execution. Unknown is an answer of its own: it never counts as holds. */
export type Verdict = Holds | Violated | Unknown;

export interface Holds {
  readonly kind: 'holds';
}

export interface Violated {
  readonly kind: 'violated';
  /** The oracle's name, such as `mutualExclusion`. */
  readonly oracle: string;
  /** What a person is told: who and which values. */
  readonly message: string;
  /** The processes the violation is about. */
  readonly processes: readonly string[];
  /** What shows it, by name. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Equal for violations that count as the same bug. */
  readonly fingerprint: string;
  /** Where it was seen late: how many events it took. */
  readonly events?: number;
}

export interface Unknown {
  readonly kind: 'unknown';
  readonly why: string;
}

export const HOLDS: Holds = { kind: 'holds' };
