/** What a client asks for, as a file says it: a function and, where it takes one, a value. */
export interface Call {
  readonly f: string;
  readonly value?: unknown;
}

/** What the lines of a file may say. The models that come with culprit have one; another needs one to be read from files. */
export interface Vocabulary<I> {
  /** The input that a call stands for; nothing if there is no such operation. */
  readonly input: (call: Call) => I | undefined;
  /** Whether the operation returns such values at all. Without it, it returns anything. */
  readonly returns?: (input: I, output: unknown) => boolean;
}
