import { callback, field, object, type FieldsOf } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';

/** Limits of a search. The verdict is unknown if a limit is reached first. */
export interface Budget {
  /** Operations tried or taken back, over all objects. Ten million by default: a few seconds, about 500 MB. */
  readonly stepsMax?: number;
  /** A limit on the time, with the clock that measures it. */
  readonly time?: {
    readonly msMax: number;
    /** Milliseconds since any fixed moment, such as `performance.now`. */
    readonly now: () => number;
  };
}

/** Any number is a valid limit; one that is not above 0 is used up at once. */
const bound = field('a number', (value) => typeof value === 'number');

const budgetFields: FieldsOf<Budget> = {
  stepsMax: bound,
  time: object<NonNullable<Budget['time']>>('an object with msMax and now', { msMax: bound, now: callback }, [
    'msMax',
    'now',
  ]),
};

export const budgetOptions = optionsOf<Budget>('checkLinearizable', budgetFields);

/** The limits of the oracle. */
export const oracleBudgetOptions = optionsOf<Budget>('linearizable', budgetFields);

const STEPS_MAX = 10_000_000;

/** Counts the steps and the time that a search has used. */
export class Spending {
  steps = 0;
  private readonly stepsMax: number;
  private readonly time: Budget['time'];
  private readonly startedMs: number;

  constructor({ stepsMax = STEPS_MAX, time }: Budget) {
    this.stepsMax = stepsMax;
    this.time = time;
    this.startedMs = time?.now() ?? 0;
  }

  /** The limit that was reached, if any. NaN counts as reached. */
  exhausted(): string | undefined {
    if (!(this.steps < this.stepsMax)) return `${this.steps} steps`;
    if (this.time === undefined) return undefined;
    const { now, msMax } = this.time;
    return now() - this.startedMs < msMax ? undefined : `${msMax} ms`;
  }

  stepsLeft(): number {
    return this.stepsMax - this.steps;
  }
}
