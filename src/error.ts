import { printableLines } from './text/printable.ts';
import { usersFrames } from './text/users-frames.ts';
import { withCommas } from './text/with-commas.ts';

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

/** Longer messages are cut: an exception may carry a whole document. */
const MESSAGE_MAX = 10_000;

/** What was thrown: anything can be, also a Proxy that throws as soon as it is touched. */
interface Thrown {
  /** Of an error: what kind it is. */
  readonly name: string | undefined;
  /** What it says. */
  readonly text: string;
}

/** Asks whether something that was thrown is of a class of ours. `instanceof` itself throws for some of it. */
export function isOf<T>(thrown: unknown, type: abstract new (...args: never) => T): thrown is T {
  return attempt(() => thrown instanceof type) ?? false;
}

/** The name and text of a thrown value. Never throws, for any value. */
export function readThrown(thrown: unknown): Thrown {
  if (!isError(thrown)) return { name: undefined, text: textOf(thrown) };
  return {
    name: attempt(() => shortened(String(thrown.name))) ?? 'Error',
    text: attempt(() => shortened(String(thrown.message))) ?? '(its message cannot be read)',
  };
}

/** What was thrown, as much as it says of itself, with the lines that it came from. */
export function stackOf(thrown: unknown): string {
  const stack = isError(thrown) ? attempt(() => thrown.stack) : undefined;
  if (typeof stack === 'string') return shortened(stack);
  const { name, text } = readThrown(thrown);
  return name === undefined ? text : `${name}: ${text}`;
}

/** The same for users: no line of culprit. */
export const usersStackOf = (thrown: unknown): string => usersFrames(stackOf(thrown));

/** Any value as text; a value that has none is described. */
export function textOf(value: unknown): string {
  const text = attempt(() => String(value));
  return text === undefined ? 'an object that cannot be written as text' : shortened(text);
}

/** Also an error of another context: Jest gives every test file classes of its own. */
const isError = (thrown: unknown): thrown is Error =>
  isOf(thrown, Error) || attempt(() => Object.prototype.toString.call(thrown)) === '[object Error]';

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // It belongs to the system, which may throw wherever it is looked at.
    return undefined;
  }
}

/** The beginning of a long message. */
export const shortened = (text: string): string =>
  text.length <= MESSAGE_MAX ? text : `${text.slice(0, MESSAGE_MAX)}… (${withCommas(text.length)} characters in all)`;

/** What was thrown, for people: a mistake that we know says what is wrong, anything else is shown where it came from. */
export const problemOf = (thrown: unknown): string =>
  isOf(thrown, CulpritError) ? thrown.message : usersStackOf(thrown);

/** What to do about it: a mistake that we know says so itself. */
export const nextAfter = (thrown: unknown, otherwise: string): string =>
  isOf(thrown, CulpritError) ? thrown.next : otherwise;
