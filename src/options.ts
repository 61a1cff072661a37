import { CulpritError } from './error.ts';

/** An option with a value it cannot have. */
export class BadOption extends CulpritError {
  readonly code = 'BAD_OPTION';
}

/** A whole number that is at least `least`. */
export function checkCount(option: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new BadOption(`${option} is ${String(value)}.`, `It takes a whole number, ${least} or more.`);
}
