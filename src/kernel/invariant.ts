/** What is wrong, and with whom. */
export interface Witness {
  readonly message: string;
  /** The processes it is about. Violations of one invariant about other processes count as other bugs. */
  readonly processes?: readonly string[];
}

/** True, or nothing, where all is well; false, a sentence or a witness where it is not. */
export type Judgement = boolean | string | Witness | undefined | void;

/** Something that must be true of every world. */
export type Invariant<W> = (world: W) => Judgement;
