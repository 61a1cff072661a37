import { setImmediate } from 'node:timers/promises';
import { initialOf, madeFrom, type Initial } from './minimization-record.ts';
import type { Failing } from './pass.ts';
import type { MinimizeOptions } from './options.ts';
import type { MinimizeProgress } from './report.ts';
import { externalsIn, type Minimizer } from './minimizer.ts';
import { Throttle } from '../kernel/throttle.ts';
import type { Trace } from '../trace/format.ts';

/** An execution as a trace; undefined where it does not come again. */
export type Write = (failing: Failing) => Promise<Trace | undefined>;

/** How often progress is told. */
const TELL_MS = 200;

/** In the first moments the best so far is large, and what is lost with it is little. */
const HAND_AFTER_MS = 1_000;

/** Handing it out takes at most one part in so many of the time. */
const HAND_SHARE = 5;

/** Reports the progress of a minimization, not more often than a person can read. */
export class ProgressReporter {
  private readonly telling = new Throttle(TELL_MS, { isDueAtOnce: true });
  private handNextMs = performance.now() + HAND_AFTER_MS;
  private readonly initial: Initial;
  /** How many events the best has that was handed out last. */
  private handed: number;

  constructor(
    trace: Trace,
    passes: readonly string[],
    private readonly options: MinimizeOptions,
    private readonly write: Write,
  ) {
    this.initial = initialOf(trace, passes);
    this.handed = trace.events.length;
  }

  async tell(minimizing: Minimizer): Promise<void> {
    if (!this.telling.isDue) return;
    this.options.onProgress?.(this.progressOf(minimizing));
    await this.hand(minimizing);
    // Signals are heard when the event loop has a turn.
    await setImmediate();
    this.telling.happened();
  }

  private progressOf({ pass, best: { events }, trials, seconds }: Minimizer): MinimizeProgress {
    const { schedules: schedulesMax = Number.POSITIVE_INFINITY, seconds: secondsMax = Number.POSITIVE_INFINITY } =
      this.options;
    const left = { events: events.length, externals: externalsIn(events), initialEvents: this.initial.events };
    return { pass, ...left, schedules: trials.schedules, seconds, schedulesMax, secondsMax };
  }

  /** Also where it was found a while ago: what follows may find nothing for long. */
  private async hand({ best, pace, trials: { schedules } }: Minimizer): Promise<void> {
    const { onBest } = this.options;
    const beganMs = performance.now();
    if (onBest === undefined || best.events.length === this.handed || beganMs < this.handNextMs) return;
    const trace = await this.write(best);
    if (trace !== undefined) onBest(madeFrom(this.initial, trace, { schedules, pace }));
    this.handed = best.events.length;
    this.handNextMs = performance.now() + (performance.now() - beganMs) * HAND_SHARE;
  }
}
