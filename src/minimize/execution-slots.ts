import { GivenUp } from '../kernel/user-code/overdue.ts';
import type { SessionRunner } from '../workers/session-runner.ts';

/**
 * Executions of one schedule. They have numbers, and their results count in the order of the numbers, whichever ends first. So what
 * follows from the results does not depend on how many are executed at a time.
 */
export class Series<Job, Result> {
  private readonly arrived = new Map<number, Result>();
  private readonly awaited = new Map<number, { resolve: (result: Result) => void; reject: (error: unknown) => void }>();
  private used = 0;

  constructor(
    /** Made when an execution begins, with all that is known then. */
    readonly job: (nth: number) => Job,
    /** So many executions are likely to be needed. */
    private readonly likely: number,
    private readonly onDemand: () => void,
  ) {}

  /** The result of the next execution. */
  next(): Promise<Result> {
    const nth = this.used++;
    const known = this.arrived.get(nth);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      this.awaited.set(nth, { resolve, reject });
      this.onDemand();
    });
  }

  /** The numbers of executions that are awaited. */
  get demanded(): readonly number[] {
    return [...this.awaited.keys()];
  }

  /** The numbers of further executions that may be awaited later. */
  get expected(): readonly number[] {
    const all = Array.from({ length: Math.max(0, this.likely - this.used) }, (_, ahead) => this.used + ahead);
    return all.filter((nth) => !this.arrived.has(nth));
  }

  ended(nth: number, result: Result): void {
    if (this.arrived.has(nth)) return;
    this.arrived.set(nth, result);
    this.awaited.get(nth)?.resolve(result);
    this.awaited.delete(nth);
  }

  failed(nth: number, error: unknown): void {
    this.awaited.get(nth)?.reject(error);
    this.awaited.delete(nth);
  }
}

/** An execution that is to be begun next, if there is room. */
export interface Wanted<Job, Result> {
  readonly series: Series<Job, Result>;
  readonly nth: number;
  /** Whether its result is needed in any case. Another one gives way if there is no room for one that is. */
  readonly isNeeded: boolean;
}

interface Running<Job, Result> extends Wanted<Job, Result> {
  readonly calledOff: AbortController;
}

/** Executes what is wanted most, as many at a time as the runner takes. */
export class ExecutionSlots<Job, Result> {
  /** The number of executions that were begun. */
  begun = 0;
  private readonly running = new Set<Running<Job, Result>>();
  private isPlanned = false;

  constructor(
    private readonly runner: SessionRunner<Job, Result>,
    /** All that is wanted now, the most urgent first. */
    private readonly wanted: () => readonly Wanted<Job, Result>[],
    /** Takes note of each result, whether it is needed or not. */
    private readonly onResult: (job: Job, result: Result) => void,
  ) {}

  get jobs(): number {
    return this.runner.jobs;
  }

  /** Something else may be wanted now. It is looked at after the turn: by then all that follows from a result is asked for. */
  changed(): void {
    if (this.isPlanned) return;
    this.isPlanned = true;
    setImmediate(() => {
      this.isPlanned = false;
      this.fill();
    });
  }

  private fill(): void {
    const wanted = this.wanted();
    const find = (run: Running<Job, Result>) => wanted.find((one) => isSame(one, run));
    for (const run of this.alive) if (find(run) === undefined) run.calledOff.abort();
    const waiting = wanted.filter((one) => !this.alive.some((run) => isSame(one, run)));
    // Those that were called off take room until they have ended.
    const room = this.runner.jobs - this.running.size;
    for (const one of waiting.slice(0, Math.max(0, room))) this.begin(one);
    const left = waiting.slice(Math.max(0, room)).filter(({ isNeeded }) => isNeeded).length;
    const ending = this.running.size - this.alive.length;
    const rank = (run: Running<Job, Result>): number => wanted.findIndex((one) => isSame(one, run));
    const spare = this.alive.filter((run) => find(run)?.isNeeded === false);
    spare.sort((one, other) => rank(other) - rank(one));
    for (const run of spare.slice(0, Math.max(0, left - ending))) run.calledOff.abort();
  }

  private get alive(): Running<Job, Result>[] {
    return [...this.running].filter(({ calledOff }) => !calledOff.signal.aborted);
  }

  private begin({ series, nth, isNeeded }: Wanted<Job, Result>): void {
    const run = { series, nth, isNeeded, calledOff: new AbortController() };
    this.running.add(run);
    this.begun += 1;
    void this.execute(run);
  }

  private async execute(run: Running<Job, Result>): Promise<void> {
    const { series, nth, calledOff } = run;
    try {
      const job = series.job(nth);
      const result = await this.runner.run(job, calledOff.signal);
      this.onResult(job, result);
      series.ended(nth, result);
    } catch (error) {
      if (!(error instanceof GivenUp) || !calledOff.signal.aborted) series.failed(nth, error);
    } finally {
      this.running.delete(run);
      this.changed();
    }
  }
}

const isSame = <Job, Result>(one: Wanted<Job, Result>, other: Wanted<Job, Result>): boolean =>
  one.series === other.series && one.nth === other.nth;
