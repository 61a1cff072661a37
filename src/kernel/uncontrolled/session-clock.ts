import { eventLoopTurned } from '../user-code/turns.ts';

/** The time of a session in which events appear by themselves. */
export interface SessionClock {
  /** Milliseconds since the session was opened. */
  readonly nowMs: number;
  /** Resolves when so much time has passed, or earlier when `wake` is called. Gets `wake` to others by `onWake`. */
  wait(ms: number, onWake: (wake: () => void) => void): Promise<void>;
  /** A clock that shows this time now. Only a clock that cannot have a copy lacks it. */
  copyAt?(nowMs: number): SessionClock;
  /** An event was performed. Only a clock that does not run by itself has something to do. */
  eventPassed?(): void;
}

/** The clock of the machine. */
export class RealClock implements SessionClock {
  private readonly beganMs: number;

  constructor(nowMs = 0) {
    this.beganMs = performance.now() - nowMs;
  }

  copyAt(nowMs: number): RealClock {
    return new RealClock(nowMs);
  }

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

/** How long an event takes on a fake clock: a system that is always busy must not stop the clock. */
const EVENT_MS = 1 / 8;

/** The shortest wait on a fake clock: less may be lost in the sum, and a strategy that waits for the rest would wait forever. */
const LEAST_MS = 1e-6;

/**
 * A clock that passes only while a session waits, and a little with every event: it jumps to the next moment for which something
 * is planned. Tests of waiting need no time then, and come out the same every time.
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

  eventPassed(): void {
    const untilMs = this.nowMs + EVENT_MS;
    while (this.happensUntil(untilMs)) continue;
    this.nowMs = untilMs;
  }

  async wait(ms: number, onWake: (wake: () => void) => void): Promise<void> {
    const untilMs = this.nowMs + Math.max(ms, LEAST_MS);
    let isAwake = false;
    onWake(() => {
      isAwake = true;
    });
    // Code that awaits what happens has a turn before the clock moves.
    for (await eventLoopTurned(); !isAwake; await eventLoopTurned()) {
      if (this.happensUntil(untilMs)) continue;
      this.nowMs = untilMs;
      return;
    }
  }

  /** Lets the next planned thing happen, if it is planned for that time or before. */
  private happensUntil(untilMs: number): boolean {
    const next = this.planned[0];
    if (next === undefined || next.atMs > untilMs) return false;
    this.planned.shift();
    this.nowMs = next.atMs;
    next.happen();
    return true;
  }
}
