import { setImmediate } from 'node:timers/promises';
import { initialOf, madeFrom, type Initial } from './minimization-record.ts';
import type { Failing } from './pass.ts';
import type { MinimizeOptions } from './options.ts';
import type { MinimizeProgress } from './report.ts';
import { externalsIn, type Minimizer } from './minimizer.ts';
import { Throttle } from '../kernel/throttle.ts';
import type { Trace } from '../trace/format.ts';

/** Records an execution; undefined if it does not fail again. */
export type Write = (failing: Failing) => Promise<Trace | undefined>;

/** The interval between reports of progress. */
const TELL_MS = 200;

/** In the first second, the best execution is large, and little work would be lost. */
const HAND_AFTER_MS = 1_000;

/** At least this many times as long passes between two records as one of them takes. */
const HAND_SHARE = 5;

/** Reports the progress of a minimization, at most as often as a person can read. */
export class ProgressReporter {
  private readonly telling = new Throttle(TELL_MS, { isDueAtOnce: true });
  private handNextMs = performance.now() + HAND_AFTER_MS;
  private readonly initial: Initial;
  /** The number of events of the trace that was passed to `onBest` last. */
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
    // Signals arrive only when the event loop gets a turn.
    await setImmediate();
    this.telling.happened();
  }

  private progressOf({ pass, best: { events }, trials, seconds }: Minimizer): MinimizeProgress {
    const { schedules: schedulesMax = Number.POSITIVE_INFINITY, seconds: secondsMax = Number.POSITIVE_INFINITY } =
      this.options;
    const left = { events: events.length, externals: externalsIn(events), initialEvents: this.initial.events };
    return { pass, ...left, schedules: trials.schedules, seconds, schedulesMax, secondsMax };
  }

  /** Passes the best execution on, even if it was found a while ago: the next one may take long. */
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
