import { CulpritError, isOf, problemOf, readThrown, stackOf } from '../error.ts';

/** An error as plain data, so that it can come from another thread. */
export interface PlainError {
  /** The code of a mistake that culprit knows; undefined for any other error. */
  readonly code: string | undefined;
  readonly name: string;
  readonly problem: string;
  readonly next: string;
  readonly stack: string;
}

/** A mistake that was met in another thread. */
export class ThrownElsewhere extends CulpritError {
  readonly code: string;

  constructor({ code = 'THROWN_ELSEWHERE', problem, next }: PlainError) {
    super(problem, next);
    this.code = code;
  }
}

export const plainErrorOf = (thrown: unknown): PlainError => ({
  code: isOf(thrown, CulpritError) ? thrown.code : undefined,
  name: readThrown(thrown).name ?? 'Error',
  problem: isOf(thrown, CulpritError) ? problemOf(thrown) : readThrown(thrown).text,
  next: isOf(thrown, CulpritError) ? thrown.next : '',
  stack: stackOf(thrown),
});

/** The error again: a mistake that culprit knows keeps its code, any other error its name and its lines. */
export function errorFrom(plain: PlainError): Error {
  if (plain.code !== undefined) return new ThrownElsewhere(plain);
  const error = new Error(plain.problem);
  error.name = plain.name;
  error.stack = plain.stack;
  return error;
}
