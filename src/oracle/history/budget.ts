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
