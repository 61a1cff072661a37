/**
 * The sequential specification of an object: what it does when operations come one at a time.
 *
 *     const counter: Model<number, 'add' | 'get', number> = {
 *       initial: 0,
 *       step: (count, input) => (input === 'add' ? { state: count + 1 } : { state: count, output: count }),
 *     };
 *
 * `step` says what may be returned and is not told what was, so that an operation that never returned needs no care.
 * What it cannot say: an output out of infinitely many, such as any unused number.
 */
export interface Model<S, I, O> {
  readonly initial: S;
  /**
   * What `input` does. A list where the object has a choice; an empty one where the operation has to wait, such as for
   * a lock that is taken. States are plain data, and a step makes a new one instead of changing what it is given.
   */
  readonly step: (state: S, input: I) => Step<S, O> | readonly Step<S, O>[];
  /**
   * The part of the object that the operation is about, where an object consists of parts that do not affect one
   * another: `initial` and `step` are then about one part. Parts are checked apart, which is much faster.
   */
  readonly partition?: (input: I) => string;
  /** The same text for states that nothing tells apart. Without it, states are the same if their data is. */
  readonly stateKey?: (state: S) => string;
  /** The operation in a few characters, for messages. */
  readonly describe?: (input: I) => string;
}

/** The state after an operation, and its output; an output left out means that any will do. */
export interface Step<S, O> {
  readonly state: S;
  readonly output?: O;
}
