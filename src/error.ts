import { printableLines } from './printable.ts';

/**
 * A mistake in what we were given: a system, a file, a command. It says what is wrong and what to do next.
 * Our own bugs are plain errors, so that the two are never confused. Both texts quote files and systems, and are printable.
 */
export abstract class CulpritError extends Error {
  /** Stable across versions, for programs. */
  abstract readonly code: string;
  /** What to do about it, as one sentence or command. */
  readonly next: string;

  constructor(problem: string, next: string, options?: ErrorOptions) {
    super(printableLines(problem), options);
    this.next = printableLines(next);
  }
}

/** What was thrown, as much as it says of itself: anything can be thrown. */
export const stackOf = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);

/** What was thrown, for people: a mistake that we know says what is wrong, anything else is shown where it came from. */
export const problemOf = (thrown: unknown): string =>
  thrown instanceof CulpritError ? thrown.message : stackOf(thrown);

/** What to do about it: a mistake that we know says so itself. */
export const nextAfter = (thrown: unknown, otherwise: string): string =>
  thrown instanceof CulpritError ? thrown.next : otherwise;
