/** What is wrong, and with which processes. */
export interface Witness {
  /** What is wrong, as a sentence. */
  readonly message: string;
  /** The processes concerned. Violations of one invariant that concern different processes count as different bugs. */
  readonly processes?: readonly string[];
  /** The evidence: plain data by name, stored in the trace. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Violations of one invariant with equal fingerprints count as the same bug, whichever processes they concern. */
  readonly fingerprint?: string;
}

/**
 * True if the invariant holds; false, a sentence or a witness if it is violated. Any other answer is an error in the
 * invariant.
 */
export type Judgment = boolean | string | Witness;

/** A predicate that must be true after every event. */
export type Invariant<W> = (world: W) => Judgment;

/** An expensive invariant: evaluated every `every` events, and at the end of the execution. */
export interface Sampled<W> {
  /** The number of events between two evaluations. */
  readonly every: number;
  /** The predicate. */
  readonly holds: Invariant<W>;
}
