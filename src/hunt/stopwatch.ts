/** Measures how long a hunt has taken, without the time in which it was stopped. */
export class Stopwatch {
  private beganMs = performance.now();
  private stoppedMs: number | undefined;

  get elapsedMs(): number {
    return (this.stoppedMs ?? performance.now()) - this.beganMs;
  }

  async whileStopped<T>(work: () => Promise<T>): Promise<T> {
    const stoppedMs = performance.now();
    this.stoppedMs = stoppedMs;
    try {
      return await work();
    } finally {
      this.beganMs += performance.now() - stoppedMs;
      this.stoppedMs = undefined;
    }
  }
}
