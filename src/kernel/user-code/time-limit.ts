import { threadTime, type ThreadTime } from './thread-cpu.ts';
import { callWithin } from './timed-script.ts';

/** The time that code had when it was ended. */
export interface Spent {
  readonly wallMs: number;
  /** CPU time of its thread; undefined if it was not measured. */
  readonly cpuMs: number | undefined;
  /** How long it was ready to run and had no CPU; undefined if the system does not report it. */
  readonly delayMs: number | undefined;
  /** The CPU time that it may have. */
  readonly boundMs: number;
}

/** A function did not return in time and was ended in the middle. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';

  constructor(
    /** What was measured when it was ended. */
    readonly spent: Spent,
  ) {
    super(`no return within ${Math.round(spent.wallMs)} ms`);
  }

  /** Whether it had the CPU time that it may have. Otherwise it may only have waited for a CPU. */
  get isProven(): boolean {
    const { cpuMs, boundMs } = this.spent;
    return cpuMs !== undefined && cpuMs >= boundMs;
  }

  /** Whether it was ready to run for most of the time in which it did not: it is the machine that is busy. */
  get isStarved(): boolean {
    const { wallMs, cpuMs, delayMs } = this.spent;
    return cpuMs !== undefined && delayMs !== undefined && delayMs > (wallMs - cpuMs) / 2;
  }
}

/** Calls a function that must return within the time. The clock costs some 25 µs: guard many events at once. */
export function withinMs<T>(boundMs: number, call: () => T): T {
  const ways: (() => T)[] = [];
  callWithin(boundMs, () => void ways.push(endOf(call)));
  const [end] = ways;
  if (end === undefined) throw new TimedOut({ wallMs: boundMs, cpuMs: undefined, delayMs: undefined, boundMs });
  return end();
}

/** The end of a call: returns its value, or throws its error. */
function endOf<T>(call: () => T): () => T {
  try {
    const value = call();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** The same. If the function is ended, the error has its CPU time and the bound on it. */
export function measuredWithin<T>(limitMs: number, boundMs: number, call: () => T): T {
  const before = threadTime();
  try {
    return withinMs(limitMs, call);
  } catch (error) {
    if (!(error instanceof TimedOut)) throw error;
    throw new TimedOut({ wallMs: limitMs, boundMs, ...timeSince(before) });
  }
}

function timeSince(before: ThreadTime | undefined): Pick<Spent, 'cpuMs' | 'delayMs'> {
  const after = threadTime();
  if (before === undefined || after === undefined) return { cpuMs: undefined, delayMs: undefined };
  const isKnown = before.delayMs !== undefined && after.delayMs !== undefined;
  return {
    cpuMs: after.cpuMs - before.cpuMs,
    delayMs: isKnown ? after.delayMs - before.delayMs : undefined,
  };
}
