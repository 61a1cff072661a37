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

/** Weights of which at least one counts. */
export function checkWeights(weights: Readonly<Record<string, number>>): void {
  for (const [kind, weight] of Object.entries(weights)) {
    if (Number.isFinite(weight) && weight >= 0) continue;
    throw new BadOption(`the weight of ${kind} is ${String(weight)}.`, 'A weight is a number, 0 or more.');
  }
  const all = Object.values(weights);
  if (all.length > 0 && all.every((weight) => weight === 0)) {
    throw new BadOption(
      'all weights are 0: nothing could be chosen.',
      'Give at least one kind of event a weight above 0.',
    );
  }
}
