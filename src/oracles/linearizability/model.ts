/**
 * The sequential specification of an object: its behavior if operations come one at a time.
 *
 *     const counter: Model<number, 'add' | 'get', number> = {
 *       initial: 0,
 *       step: (count, input) => (input === 'add' ? { state: count + 1 } : { state: count, output: count }),
 *     };
 *
 * `step` gives the allowed outputs and does not receive the observed one, so operations that never returned need no
 * special case. A model cannot express an output out of infinitely many, such as any unused number.
 */
export interface Model<S, I, O> {
  /** The state before the first operation. */
  readonly initial: S;
  /**
   * The effect of `input`. A list if the object has a choice; an empty list if the operation has to wait, such as for a
   * lock that is taken. States are plain data, and a step returns a new state instead of changing its argument.
   */
  readonly step: (state: S, input: I) => Step<S, O> | readonly Step<S, O>[];
  /**
   * The part of the object that the operation concerns, for objects that consist of independent parts: `initial` and
   * `step` then describe one part. Each part is checked on its own, which is much faster.
   */
  readonly partition?: (input: I) => string;
  /** A text that is equal for indistinguishable states. By default, states are equal if their data is. */
  readonly stateKey?: (state: S) => string;
  /** The operation in a few characters, for messages. */
  readonly describe?: (input: I) => string;
  /** For an input that the model does not know: those that it does, as the end of a sentence. Without it, `step` gets every input. */
  readonly refusal?: (input: unknown) => string | undefined;
}

/** The state after an operation, and its output; without an output, any output is allowed. */
export interface Step<S, O> {
  /** The state of the object after the operation. */
  readonly state: S;
  /** The value that the operation returns. */
  readonly output?: O;
}
