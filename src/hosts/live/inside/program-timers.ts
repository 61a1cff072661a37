import type { Io } from '../../../kernel/uncontrolled/io.ts';

/** A timer that the program has set. */
interface SetTimer {
  readonly ms: number;
  readonly isRepeated: boolean;
  /** When it is due for the first time, on the clock of the session. */
  readonly dueMs: number;
  /** Makes the program do what the timer is for. */
  readonly fire: () => void;
}

/**
 * The timers of a program, which fire as events. No event can happen while the program starts, so until it is ready its timers fire by the
 * clock of the machine.
 */
export class ProgramTimers {
  private readonly timers = new Map<string, SetTimer>();
  /** Timers of the machine, by name, until the program is ready. */
  private starting: Map<string, NodeJS.Timeout> | undefined = new Map();

  constructor(private readonly io: Pick<Io, 'clock' | 'setTimer' | 'repeatTimer' | 'cancelTimer'>) {}

  /** Sets a timer; one of that name that is set already is moved. */
  set(name: string, ms: number, isRepeated: boolean, fire: () => void): void {
    this.cancel(name);
    const timer = { ms, isRepeated, dueMs: this.io.clock.nowMs + ms, fire };
    this.timers.set(name, timer);
    if (this.starting === undefined) this.schedule(name, timer, ms);
    else
      this.starting.set(
        name,
        setTimeout(() => this.fire(name), ms),
      );
  }

  cancel(name: string): void {
    if (!this.timers.delete(name)) return;
    if (this.starting === undefined) this.io.cancelTimer(name);
    else clearTimeout(this.starting.get(name));
  }

  /** A name like this one that no timer has. */
  unusedName(like: string): string {
    let name = like;
    for (let nth = 2; this.timers.has(name); nth++) name = `${like} (${nth})`;
    return name;
  }

  /** The timer fires. */
  fire(name: string): void {
    const timer = this.timers.get(name);
    if (timer === undefined) return;
    if (!timer.isRepeated) this.timers.delete(name);
    else
      this.starting?.set(
        name,
        setTimeout(() => this.fire(name), timer.ms),
      );
    timer.fire();
  }

  /** The program is ready: from now on its timers are events. */
  ready(): void {
    this.endStarting();
    for (const [name, timer] of this.timers) this.schedule(name, timer, Math.max(0, timer.dueMs - this.io.clock.nowMs));
  }

  close(): void {
    this.endStarting();
    this.timers.clear();
  }

  private endStarting(): void {
    for (const timeout of this.starting?.values() ?? []) clearTimeout(timeout);
    this.starting = undefined;
  }

  private schedule(name: string, { ms, isRepeated }: SetTimer, afterMs: number): void {
    if (isRepeated) this.io.repeatTimer(name, ms);
    else this.io.setTimer(name, afterMs);
  }
}
