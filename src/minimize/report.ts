import type { Reproduction } from './flaky.ts';
import type { InputCounts } from './input-counts.ts';
import type { PassingReport, WaitingCounts } from '../execution/waiting-replay.ts';
import type { Trace } from '../trace/format.ts';

/** The execution after a pass, and the cost so far. */
export interface Stage {
  readonly pass: string;
  /** Why the pass had nothing to try, if a hint of the system could change that. */
  readonly leftOut?: string;
  readonly events: number;
  readonly externals: number;
  readonly schedules: number;
  readonly seconds: number;
}

/** How far a minimization has come. */
export interface MinimizeProgress extends Stage {
  readonly initialEvents: number;
  readonly schedulesMax: number;
  readonly secondsMax: number;
}

/**
 * `1-minimal`: every single event was left out once, except those that the system says to keep, and nothing failed.
 * `1-minimal up to the stated error`: every event was left out often enough to see a failure at the rate of the best
 * execution, up to that error. `shortest`: moreover, no shorter execution ends with the bug, with any internal events
 * and the same externals in any order; all of these were explored, world by world.
 */
export type Certificate = '1-minimal' | '1-minimal up to the stated error' | 'shortest';

/** How often the violation happened in replays without some externals. */
export interface ControlCount {
  /** Without any input, or without faults. */
  readonly without: 'input' | 'fault';
  readonly replays: number;
  readonly reproduced: number;
  readonly unknown: number;
}

/** The result of `minimize`. */
export interface Minimized {
  /**
   * The simplest execution found. It ends with the same violation and was replayed. Its header says what it was made
   * from; `minimize` resumes from it.
   */
  readonly trace: Trace;
  /** The inputs of the execution that was minimized, and those that are left; undefined if nothing was executed. */
  readonly inputs?: { readonly recorded: InputCounts; readonly left: InputCounts };
  /** How many replays showed the violation: all, unless the system is not deterministic. */
  readonly reproduction: Reproduction;
  /** Where events appear by themselves: how replays waited for them. */
  readonly waiting?: WaitingCounts;
  /** Of each rule that depends on the whole recording: whether its messages passed. */
  readonly passing?: readonly PassingReport[];
  /** Where events appear by themselves: how often the violation happened without inputs, and without faults. */
  readonly controls?: readonly ControlCount[];
  /**
   * Where events appear by themselves, and the result did not fail when it was replayed: the number of events that no replay showed, if it
   * fails without awaiting these.
   */
  readonly withoutAbsent?: number;
  /** The number of schedules that were executed side by side and not needed in the end. */
  readonly wasted?: number;
  readonly stages: readonly Stage[];
  readonly schedules: number;
  /**
   * The number of states in the search for a shorter execution. They do not count as schedules, because most share all
   * but one event.
   */
  readonly proofStates: number;
  readonly seconds: number;
  /** Undefined if a budget was spent first, or the verdict on some removal is unknown. */
  readonly certificate: Certificate | undefined;
  /** Other violations met on the way, one for each fingerprint. */
  readonly others: readonly Trace[];
}
