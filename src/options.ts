import { CulpritError } from './error.ts';
import { whyBadWeights, type Weights } from './kernel/weights.ts';

/** An option with a value it cannot have. */
export class BadOption extends CulpritError {
  readonly code = 'BAD_OPTION';
}

/** A whole number that is at least `least`. */
export function checkCount(option: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new BadOption(`${option} is ${String(value)}.`, `It takes a whole number, ${least} or more.`);
}

/** An amount that is more than nothing; endless will do. */
export function checkAmount(option: string, value: number): void {
  if (value > 0) return;
  throw new BadOption(`${option} is ${String(value)}.`, 'It takes a number above 0.');
}

/** A chance that is neither none nor all. */
export function checkChance(option: string, value: number): void {
  if (value > 0 && value < 1) return;
  throw new BadOption(`${option} is ${String(value)}.`, 'It takes a number between 0 and 1.');
}

export function checkWeights(weights: Weights): void {
  const wrong = whyBadWeights(weights);
  if (wrong !== undefined) throw new BadOption(...wrong);
}
