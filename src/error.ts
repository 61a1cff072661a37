/**
 * A mistake in what we were given: a system, a file, a command. It says what is wrong and what to do next.
 * Our own bugs are plain errors, so that the two are never confused.
 */
export abstract class CulpritError extends Error {
  /** Stable across versions, for programs. */
  abstract readonly code: string;
  /** What to do about it, as one sentence or command. */
  readonly next: string;

  constructor(problem: string, next: string, options?: ErrorOptions) {
    super(problem, options);
    this.next = next;
  }
}

/** What was thrown, as much as it says of itself: anything can be thrown. */
export const stackOf = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
