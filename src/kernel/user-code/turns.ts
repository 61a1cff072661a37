import { nextTick } from 'node:process';
import { countOwn } from './busy.ts';

/**
 * Waits until the event loop has had a turn. What follows runs in a tick: code that is ended there leaves Node's stack of
 * async contexts as it is until we can empty it, whereas at the end of an immediate Node would look at it, and abort.
 */
export const eventLoopTurned = (): Promise<void> => new Promise(afterTurn);

function afterTurn(then: () => void): void {
  countOwn('Immediate', 1);
  setImmediate(() => {
    countOwn('Immediate', -1);
    nextTick(then);
  });
}

/** How long signals and timers wait at most while many short executions follow one another. */
const TURN_EVERY_MS = 100;

/** For loops of short executions: gives the event loop a turn now and then, so that signals are heard. */
export class RegularTurns {
  private lastMs = performance.now();

  async turnIfDue(): Promise<void> {
    if (performance.now() - this.lastMs < TURN_EVERY_MS) return;
    await eventLoopTurned();
    this.lastMs = performance.now();
  }
}

/**
 * Executions that await something share a thread, and its microtasks. Each has its turn: while it has it, no other event
 * is under way. So code that hangs belongs to the execution that has the turn; and when that code is ended, with all queued
 * microtasks, no other execution loses any.
 */
export class Turns {
  private isTaken = false;
  private readonly waiting: (() => void)[] = [];

  /** Takes the turn if it is free. */
  tryToTake(): boolean {
    if (this.isTaken) return false;
    this.isTaken = true;
    return true;
  }

  /** Takes the turn as soon as it is free. */
  async take(): Promise<void> {
    if (!this.tryToTake()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** The next begins when no microtask of this one is left. */
  giveUp(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.isTaken = false;
    else afterTurn(next);
  }
}
