import { setImmediate } from 'node:timers/promises';
import { Throttle } from '../../kernel/throttle.ts';
import type { ExplainWhyOptions, ExplainWhyProgress } from './options.ts';

/** The interval between reports of progress. */
const TELL_MS = 200;

/** The budget of an explanation, and reports of its progress. */
export class WhyBudget {
  private readonly beganMs = performance.now();
  private readonly telling = new Throttle(TELL_MS);

  constructor(private readonly options: Pick<ExplainWhyOptions, 'seconds' | 'onProgress'>) {}

  /** Reports progress, if the last report was long enough ago. */
  async tell(stage: ExplainWhyProgress['stage'], executions: number): Promise<void> {
    if (!this.telling.isDue) return;
    this.options.onProgress?.({ stage, executions });
    // Signals arrive only when the event loop gets a turn.
    await setImmediate();
    this.telling.happened();
  }

  async isOver(stage: ExplainWhyProgress['stage'], executions: number): Promise<boolean> {
    await this.tell(stage, executions);
    return (performance.now() - this.beganMs) / 1000 >= (this.options.seconds ?? Number.POSITIVE_INFINITY);
  }
}
