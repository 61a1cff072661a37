/** What is wrong, and with whom. */
export interface Witness {
  readonly message: string;
  /** The processes it is about. Violations of one invariant about other processes count as other bugs. */
  readonly processes?: readonly string[];
  /** What shows it: plain data by name, kept in the trace. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Violations of one invariant count as the same bug where this is equal, whichever processes they are about. */
  readonly fingerprint?: string;
}

/** True where all is well; false, a sentence or a witness where it is not. Anything else is a mistake in the invariant. */
export type Judgment = boolean | string | Witness;

/** Something that must be true of every world. */
export type Invariant<W> = (world: W) => Judgment;

/** An invariant that is dear: asked after every so many events, and when the execution ends. */
export interface Sampled<W> {
  readonly every: number;
  readonly holds: Invariant<W>;
}
