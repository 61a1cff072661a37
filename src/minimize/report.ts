import type { Reproduction } from './flaky.ts';
import type { Trace } from '../trace/format.ts';

/** What was left after a pass, and what had been spent by then. */
export interface Stage {
  readonly pass: string;
  /** Why the pass had nothing to try, where that is for a reason that the system could remove. */
  readonly leftOut?: string;
  readonly events: number;
  readonly externals: number;
  readonly schedules: number;
  readonly seconds: number;
}

export interface MinimizeProgress extends Stage {
  readonly initialEvents: number;
  readonly schedulesMax: number;
  readonly secondsMax: number;
}

/**
 * `1-minimal`: every single event was left out once, but for what the system says to keep, and nothing failed. Up to the
 * stated error: it was left out as often as it takes to see a failure that comes as often as the best does, but for that
 * error. `shortest`: besides, no execution with fewer events ends with the bug, whatever its internal events are, as long as
 * it has no externals but these, in any order; all of them were looked at, world by world.
 */
export type Certificate = '1-minimal' | '1-minimal up to the stated error' | 'shortest';

export interface Minimized {
  /**
   * The simplest execution found; it ends with the same violation, and was executed again to see that it does. Its header
   * says what it was made from: given to `minimize` again, it goes on from there.
   */
  readonly trace: Trace;
  /** How often it came when it was replayed: every time, unless the system is not deterministic. */
  readonly reproduction: Reproduction;
  readonly stages: readonly Stage[];
  readonly schedules: number;
  /** The number of states that the proof explored. They are not schedules: most share all but one event. */
  readonly proofStates: number;
  readonly seconds: number;
  /** Undefined where a budget ran out before, or it is unknown whether some removal fails. */
  readonly certificate: Certificate | undefined;
  /** Other violations met on the way, one of each kind. */
  readonly others: readonly Trace[];
}
