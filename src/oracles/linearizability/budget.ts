import { callback, field, object, type FieldsOf } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';

/** How long a search may go on. What is not decided by then is unknown. */
export interface Budget {
  /** Operations tried or taken back, over all objects. Ten million unless it is given: a few seconds, some 500 MB. */
  readonly stepsMax?: number;
  readonly time?: {
    readonly msMax: number;
    /** Milliseconds since whenever, such as `performance.now`. */
    readonly now: () => number;
  };
}

/** Bounds may be anything that is a number: one that is not above 0 is spent at once. */
const bound = field('a number', (value) => typeof value === 'number');

const budgetFields: FieldsOf<Budget> = {
  stepsMax: bound,
  time: object<NonNullable<Budget['time']>>('an object with msMax and now', { msMax: bound, now: callback }, [
    'msMax',
    'now',
  ]),
};

export const budgetOptions = optionsOf<Budget>('checkLinearizable', budgetFields);

/** The same for the oracle. */
export const oracleBudgetOptions = optionsOf<Budget>('linearizable', budgetFields);

const STEPS_MAX = 10_000_000;

/** Counts what is spent. */
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

  /** What ran out, or nothing. A bound that is no number is one that was reached. */
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
