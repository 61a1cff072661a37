import { setImmediate } from 'node:timers/promises';
import { Throttle } from '../../kernel/throttle.ts';
import type { ExplainWhyOptions, ExplainWhyProgress } from './options.ts';

/** How a limit begins that depends on the machine. */
export const TIME_IS_UP = 'the time limit was reached';

/** The interval between reports of progress. */
const REPORT_MS = 200;

/** The budget of an explanation, and reports of its progress. */
export class WhyBudget {
  private readonly beganMs = performance.now();
  private readonly throttle = new Throttle(REPORT_MS);

  constructor(private readonly options: Pick<ExplainWhyOptions, 'seconds' | 'onProgress'>) {}

  /** Reports progress, if the last report was long enough ago. */
  async report(stage: ExplainWhyProgress['stage'], executions: number): Promise<void> {
    if (!this.throttle.isDue) return;
    this.options.onProgress?.({ stage, executions });
    // Signals arrive only when the event loop gets a turn.
    await setImmediate();
    this.throttle.happened();
  }

  async isOver(stage: ExplainWhyProgress['stage'], executions: number): Promise<boolean> {
    await this.report(stage, executions);
    return this.isTimeUp;
  }

  get isTimeUp(): boolean {
    return (performance.now() - this.beganMs) / 1000 >= (this.options.seconds ?? Number.POSITIVE_INFINITY);
  }
}
