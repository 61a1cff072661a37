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

  /** The event appeared, so late. */
  appears(at: number, latenessMs: number | undefined): void {
    this.appeared.add(at);
    this.absent.delete(at);
    if (latenessMs !== undefined) this.lateness.push(Math.max(0, latenessMs));
  }
}
