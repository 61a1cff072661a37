import type { Io } from '../../../kernel/uncontrolled/io.ts';

/** What timers need of the process whose they are. */
type TimerIo = Pick<Io, 'clock' | 'setTimer' | 'repeatTimer' | 'cancelTimer'>;

/** The line that the program gets when a timer fires, and the way to it. */
export interface TimerAnswer {
  readonly line: object;
  readonly say: (line: object) => void;
}

/** A timer that the program has set. */
interface SetTimer extends TimerAnswer {
  readonly ms: number;
  readonly isRepeated: boolean;
  /** When it is due for the first time, on the clock of the session. */
  readonly dueMs: number;
}

/**
 * The timers of a program, which fire as events. No event can happen while the program starts, so until it is ready its timers fire by the
 * clock of the machine.
 */
export class ProgramTimers {
  private readonly timers = new Map<string, SetTimer>();
  /** Timers of the machine, by name, until the program is ready. */
  private starting: Map<string, NodeJS.Timeout> | undefined = new Map();

  constructor(private readonly io: TimerIo) {}

  /** The same timers of a copy of the program, which is ready: they are events already. */
  copyFor(io: TimerIo, say: TimerAnswer['say']): ProgramTimers {
    const copy = new ProgramTimers(io);
    copy.starting = undefined;
    for (const [name, timer] of this.timers) copy.timers.set(name, { ...timer, say });
    return copy;
  }

  /** Sets a timer; one of that name that is set already is moved. */
  set(name: string, ms: number, isRepeated: boolean, answer: TimerAnswer): void {
    this.cancel(name);
    const timer = { ms, isRepeated, dueMs: this.io.clock.nowMs + ms, ...answer };
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
    timer.say(timer.line);
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
