import { setImmediate } from 'node:timers/promises';
import { Throttle } from '../../kernel/throttle.ts';
import type { ExplainWhyOptions, ExplainWhyProgress } from './options.ts';

/** How often progress is told. */
const TELL_MS = 200;

/** What an explanation has taken so far, and whether it may go on. */
export class WhyBudget {
  private readonly beganMs = performance.now();
  private readonly telling = new Throttle(TELL_MS);

  constructor(private readonly options: Pick<ExplainWhyOptions, 'seconds' | 'onProgress'>) {}

  /** Tells the progress now and then. */
  async tell(stage: ExplainWhyProgress['stage'], executions: number): Promise<void> {
    if (!this.telling.isDue) return;
    this.options.onProgress?.({ stage, executions });
    // Signals are heard when the event loop has a turn.
    await setImmediate();
    this.telling.happened();
  }

  async isOver(stage: ExplainWhyProgress['stage'], executions: number): Promise<boolean> {
    await this.tell(stage, executions);
    return (performance.now() - this.beganMs) / 1000 >= (this.options.seconds ?? Number.POSITIVE_INFINITY);
  }
}
