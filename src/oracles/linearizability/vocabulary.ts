/** A call in a history file: a function and, if it takes one, a value. */
export interface Call {
  /** The name of the operation, such as `read`. */
  readonly f: string;
  /** The argument, such as the value to write; missing for an operation without one. */
  readonly value?: unknown;
}

const isCall = (input: unknown): input is Call =>
  typeof input === 'object' && input !== null && 'f' in input && typeof input.f === 'string';

/** The refusal of a model whose inputs are the calls of its vocabulary; `takes` lists these for people. */
export const refusalOf =
  (input: Vocabulary<unknown>['input'], takes: string) =>
  (given: unknown): string | undefined =>
    isCall(given) && input(given) !== undefined ? undefined : takes;

/**
 * The operations that history files may contain. The models of culprit have a vocabulary; a custom model needs one to
 * read files.
 */
export interface Vocabulary<I> {
  /** The input for a call; undefined if the model has no such operation. */
  readonly input: (call: Call) => I | undefined;
  /** Whether the operation can return such a value. If omitted, it may return any value. */
  readonly returns?: (input: I, output: unknown) => boolean;
}
