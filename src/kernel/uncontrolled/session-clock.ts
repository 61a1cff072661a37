/** The time of a session in which events appear by themselves. */
export interface SessionClock {
  /** Milliseconds since the session was opened. */
  readonly nowMs: number;
  /** Resolves when so much time has passed, or earlier when `wake` is called. Gets `wake` to others by `onWake`. */
  wait(ms: number, onWake: (wake: () => void) => void): Promise<void>;
}

/** The clock of the machine. */
export class RealClock implements SessionClock {
  private readonly beganMs = performance.now();

  get nowMs(): number {
    return performance.now() - this.beganMs;
  }

  wait(ms: number, onWake: (wake: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      onWake(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/**
 * A clock that passes only while a session waits: it jumps to the next moment for which something is planned. Tests of waiting
 * need no time then, and come out the same every time.
 */
export class FakeClock implements SessionClock {
  nowMs = 0;
  private readonly planned: { readonly atMs: number; readonly nth: number; readonly happen: () => void }[] = [];
  private count = 0;

  /** Lets something happen after so many milliseconds. */
  after(ms: number, happen: () => void): void {
    this.planned.push({ atMs: this.nowMs + ms, nth: this.count++, happen });
    this.planned.sort((one, other) => one.atMs - other.atMs || one.nth - other.nth);
  }

  wait(ms: number, onWake: (wake: () => void) => void): Promise<void> {
    const untilMs = this.nowMs + ms;
    let isAwake = false;
    onWake(() => {
      isAwake = true;
    });
    while (!isAwake) {
      const next = this.planned[0];
      if (next === undefined || next.atMs > untilMs) {
        this.nowMs = untilMs;
        break;
      }
      this.planned.shift();
      this.nowMs = next.atMs;
      next.happen();
    }
    return Promise.resolve();
  }
}
