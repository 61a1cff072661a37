import { setImmediate } from 'node:timers/promises';
import { recordOf, withRecord, type MinimizationRecord } from './minimization-record.ts';
import type { Failing } from './pass.ts';
import type { MinimizeOptions } from './options.ts';
import type { MinimizeProgress } from './report.ts';
import { externalsIn, type Minimizer } from './minimizer.ts';
import { Throttle } from '../kernel/throttle.ts';
import type { Trace } from '../trace/format.ts';

/** Records an execution; undefined if it does not fail again. */
export type RecordFailing = (failing: Failing) => Promise<Trace | undefined>;

/** The interval between reports of progress. */
const REPORT_MS = 200;

/** In the first second, the best execution is large, and little work would be lost. */
const PASS_ON_AFTER_MS = 1_000;

/** At least this many times as long passes between two records as one of them takes. */
const PASS_ON_SHARE = 5;

/** Reports the progress of a minimization, at most as often as a person can read. */
export class ProgressReporter {
  private readonly throttle = new Throttle(REPORT_MS, { isDueAtOnce: true });
  private passOnNextMs = performance.now() + PASS_ON_AFTER_MS;
  private readonly initial: MinimizationRecord;
  /** The number of events of the trace that was passed to `onBest` last. */
  private passedOnEvents: number;

  constructor(
    trace: Trace,
    passes: readonly string[],
    private readonly options: MinimizeOptions,
    private readonly write: RecordFailing,
  ) {
    this.initial = recordOf(trace, passes);
    this.passedOnEvents = trace.events.length;
  }

  async report(minimizer: Minimizer): Promise<void> {
    if (!this.throttle.isDue) return;
    this.options.onProgress?.(this.progressOf(minimizer));
    await this.passOnBest(minimizer);
    // Signals arrive only when the event loop gets a turn.
    await setImmediate();
    this.throttle.happened();
  }

  private progressOf({ pass, best: { events }, trials, seconds }: Minimizer): MinimizeProgress {
    const { schedules: schedulesMax = Number.POSITIVE_INFINITY, seconds: secondsMax = Number.POSITIVE_INFINITY } =
      this.options;
    const left = { events: events.length, externals: externalsIn(events), initialEvents: this.initial.events };
    return { pass, ...left, schedules: trials.schedules, seconds, schedulesMax, secondsMax };
  }

  /** Passes the best execution on, even if it was found a while ago: the next one may take long. */
  private async passOnBest({ best, shrinkCurve, trials: { schedules } }: Minimizer): Promise<void> {
    const { onBest } = this.options;
    const beganMs = performance.now();
    if (onBest === undefined || best.events.length === this.passedOnEvents || beganMs < this.passOnNextMs) return;
    const trace = await this.write(best);
    if (trace !== undefined) onBest(withRecord(this.initial, trace, { schedules, shrinkCurve }));
    this.passedOnEvents = best.events.length;
    this.passOnNextMs = performance.now() + (performance.now() - beganMs) * PASS_ON_SHARE;
  }
}
