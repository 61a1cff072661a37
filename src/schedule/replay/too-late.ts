/** An external was injected too late: an event that depends on it appeared before. The replay has to start over. */
export class TooLate extends Error {
  constructor(
    /** Indices of events that did not appear: the next replay does not wait for them. */
    readonly absent: ReadonlySet<number>,
  ) {
    super('an event appeared before the external that it depends on');
    this.name = 'TooLate';
  }
}
