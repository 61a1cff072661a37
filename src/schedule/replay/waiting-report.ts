/** How one replay compares with the recording, in numbers of internal events. */
export interface WaitingReplayCounts {
  /** Events of the schedule that happened, also those that came late. */
  readonly matched: number;
  /** Events of the schedule that did not appear. */
  readonly absent: number;
  /** Events that the schedule does not have. */
  readonly unexpected: number;
  /** How often several events could stand in for the recorded one. */
  readonly ambiguous: number;
  /** Events that happened by a rule of the system, and are not compared. */
  readonly passed: number;
  /** How often the replay started over because an external came too late. */
  readonly restarts: number;
  /** Whether an external came too late all the same. */
  readonly early: boolean;
  /** Whether every message came as recorded, and no other, up to the end of the schedule. */
  readonly asRecorded: boolean;
}

/** A report as plain data, so that it can come from another thread. */
export type PlainWaitingReport = Pick<
  WaitingReport,
  'isEarly' | 'lateness' | 'absent' | 'appeared' | 'unexpected' | 'newWithin' | 'ambiguous' | 'passed' | 'restarts'
>;

/** What can be said of one replay that waits, besides the execution that it leads to. */
export class WaitingReport {
  /**
   * Whether an external was injected although an event that depends on it had appeared before, because the replay may not start
   * over once more. Such a replay shows nothing if the violation does not happen in it.
   */
  isEarly = false;
  /** How much later than in the recording the events of processes that act by themselves appeared, in milliseconds. */
  readonly lateness: number[] = [];
  /** Indices of events of the schedule that did not appear in time, and of those that did, or appeared later. */
  readonly absent = new Set<number>();
  readonly appeared = new Set<number>();
  /** Indices, in the execution, of events that the schedule does not have. */
  readonly unexpected: number[] = [];
  /** How many of them came before the end of the schedule. */
  newWithin = 0;
  /** How often several events could stand in for the recorded one. */
  ambiguous = 0;
  /** Events that happened by a rule of the system. */
  passed = 0;
  /** How often the replay started over before. */
  restarts = 0;

  static from(plain: PlainWaitingReport): WaitingReport {
    return Object.assign(new WaitingReport(), plain);
  }

  get plain(): PlainWaitingReport {
    const { isEarly, lateness, absent, appeared, unexpected, newWithin, ambiguous, passed, restarts } = this;
    return { isEarly, lateness, absent, appeared, unexpected, newWithin, ambiguous, passed, restarts };
  }

  get counts(): WaitingReplayCounts {
    const { appeared, absent, unexpected, ambiguous, passed, restarts, isEarly } = this;
    return {
      matched: appeared.size,
      absent: absent.size,
      unexpected: unexpected.length,
      ambiguous,
      passed,
      restarts,
      early: isEarly,
      asRecorded: this.isAsRecorded,
    };
  }

  /** Whether every message came as recorded, and no other, up to the end of the schedule. */
  get isAsRecorded(): boolean {
    return this.absent.size === 0 && this.newWithin === 0 && !this.isEarly;
  }

  /** The event appeared, so late. */
  appears(at: number, latenessMs: number | undefined): void {
    this.appeared.add(at);
    this.absent.delete(at);
    if (latenessMs !== undefined) this.lateness.push(Math.max(0, latenessMs));
  }
}
