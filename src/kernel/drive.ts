import { doneAsking } from './user-code/asking.ts';
import { asSystem, codeWasEnded } from './user-code/async-code.ts';
import { threadTime } from './user-code/thread-cpu.ts';
import { measuredWithin, TimedOut, withinMs } from './user-code/time-limit.ts';
import { Rest, SLICE_MS, type Steps } from './loop.ts';
import { GivenUp } from './user-code/overdue.ts';
import { followPrinting } from './user-code/console-capture.ts';
import { eventLoopTurned, Turns } from './user-code/turns.ts';
import { watchForHangs, type TimeLimits, type Watch } from './user-code/watchdog.ts';

/** How much CPU time a handler may have before it is taken to hang, in milliseconds. */
export const HANDLER_MS = 5_000;

/**
 * How long a handler may run when it is executed again, in multiples of the CPU time that it may have: enough for one that
 * has a CPU to itself, then enough for one that shares it with others, and more only where it is seen to wait for a CPU.
 */
const AGAIN = { first: 1.5, longer: 4, enough: 6 };

/** The longest that a handler is let run, unless it may have more CPU time than that. */
const STARVED_MS = 60_000;

/** How long something may run that cannot be executed again. */
export const longestMs = (handlerMs: number): number => Math.max(500, AGAIN.enough * handlerMs);

/** For work that has no deadline. */
const never = (): boolean => false;

/** The executions of this thread take turns. */
const turns = new Turns();

/**
 * Runs to the end: at once where nothing is asynchronous, the turn is free and it is short, as a promise otherwise:
 * signals have to be heard while long ones run. Code that
 * does not return is ended with `TimedOut`. The clock also runs while the code waits for a CPU: use `surely` for a verdict.
 */
export function drive<T>(steps: Steps<T>, handlerMs = HANDLER_MS, isOverdue = never): T | Promise<T> {
  if (!turns.tryToTake()) return driveInTurns(steps, handlerMs, isOverdue);
  const limits = { limitMs: handlerMs, boundMs: handlerMs, isMeasured: false };
  let isOver = true;
  try {
    const step = next(steps, limits);
    if (step.done === true) return step.value;
    if (step.value === undefined) return driveInTurns(steps, handlerMs, isOverdue);
    isOver = false;
    return driveOn(steps, step.value, limits, isOverdue);
  } finally {
    if (isOver) turns.giveUp();
  }
}

/** The same, for long runs: at every pause the event loop has a turn, so that signals and timers are heard. */
export const driveInTurns = <T>(steps: Steps<T>, handlerMs = HANDLER_MS, isOverdue = never): Promise<T> =>
  driveWithin(steps, { limitMs: handlerMs, boundMs: handlerMs, isMeasured: false }, isOverdue);

/**
 * Drives an execution so that load makes no difference. One that the clock ends is executed again, carefully: every event
 * has a clock and more time, and its CPU time is measured. The `TimedOut` that is thrown then says how much it had.
 */
export async function surely<T>(
  attempt: (isCareful: boolean) => Steps<T>,
  handlerMs = HANDLER_MS,
  isOverdue = never,
): Promise<T> {
  try {
    return await drive(attempt(false), handlerMs, isOverdue);
  } catch (error) {
    if (!(error instanceof TimedOut)) throw error;
    return await carefully(() => attempt(true), handlerMs);
  }
}

/**
 * For long runs that cannot be executed again: the CPU time of code is measured, and the busier the machine is, the more time it
 * has. Code that hangs on an idle machine is ended as soon as in an attempt that can be executed again.
 */
export const driveAtLength = <T>(steps: Steps<T>, handlerMs = HANDLER_MS, isOverdue = never): Promise<T> => {
  const longest = longestMs(handlerMs);
  const share = cpuShare();
  const limitNowMs = (): number =>
    Math.min(longest, Math.max(500, Math.ceil((AGAIN.first * handlerMs) / Math.max(share(), 0.01))));
  return driveWithin(steps, { limitMs: longest, limitNowMs, boundMs: handlerMs, isMeasured: true }, isOverdue);
};

interface DriveLimits extends TimeLimits {
  /** The limit for code that is about to run without a pause, if the load of the machine decides. */
  readonly limitNowMs?: () => number;
}

/**
 * Says, each time it is asked, which part of the time since the time before this thread did not have to wait for a CPU; 0 if that is
 * unknown.
 */
function cpuShare(): () => number {
  let sinceMs = 0;
  let delayedMs: number | undefined = 0;
  return () => {
    const { delayMs } = threadTime() ?? {};
    const nowMs = performance.now();
    const share =
      delayMs === undefined || delayedMs === undefined ? 0 : 1 - (delayMs - delayedMs) / Math.max(nowMs - sinceMs, 1);
    [sinceMs, delayedMs] = [nowMs, delayMs];
    return share;
  };
}

/** Executes again an attempt that the clock has ended: the steps must pause after every event. */
export async function carefully<T>(attempt: () => Steps<T>, handlerMs: number): Promise<T> {
  const enoughMs = AGAIN.enough * handlerMs;
  const mostMs = Math.max(enoughMs, STARVED_MS);
  for (let limitMs = Math.ceil(AGAIN.first * handlerMs); ; limitMs = Math.min(mostMs, AGAIN.longer * limitMs)) {
    // The clock may have ended the attempt before while a function of the system was asked.
    doneAsking();
    try {
      return await driveWithin(attempt(), { limitMs, boundMs: handlerMs, isMeasured: true });
    } catch (error) {
      if (!(error instanceof TimedOut) || error.isProven) throw error;
      if (limitMs >= (error.isStarved ? mostMs : enoughMs)) throw error;
    }
  }
}

/** Throws `GivenUp` at a pause if the work is overdue. */
async function driveWithin<T>(steps: Steps<T>, limits: DriveLimits, isOverdue = never): Promise<T> {
  // After a turn our caller awaits us. Without it, ending the first handler would lose the microtask that hands our answer on.
  await eventLoopTurned();
  for (;;) {
    await turns.take();
    let isOver = true;
    try {
      const step = next(steps, limits);
      if (step.done === true) return step.value;
      if (step.value !== undefined) {
        isOver = false;
        return await driveOn(steps, step.value, limits, isOverdue);
      }
    } finally {
      if (isOver) turns.giveUp();
    }
    await eventLoopTurned();
    if (isOverdue()) throw new GivenUp();
  }
}

function next<T>(steps: Steps<T>, limits: DriveLimits): ReturnType<Steps<T>['next']> {
  const { boundMs, isMeasured } = limits;
  const limitMs = limits.limitNowMs?.() ?? limits.limitMs;
  followPrinting();
  try {
    return asSystem(() =>
      isMeasured
        ? measuredWithin(limitMs, boundMs, () => steps.next())
        : withinMs(SLICE_MS + limitMs, () => steps.next()),
    );
  } catch (error) {
    if (error instanceof TimedOut) codeWasEnded();
    throw error;
  }
}

/** Has the turn, and gives it up in the end. Code that was ended in the middle never settles: then the watch rejects. */
function driveOn<T>(
  steps: Steps<T>,
  first: Promise<void> | Rest,
  limits: TimeLimits,
  isOverdue: () => boolean,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const turn = new Turn();
    const watch = watchForHangs(limits, (error) => {
      watch.end();
      turn.giveUp();
      reject(error);
    });
    watch.beat();
    const deadline = new Deadline(isOverdue);
    goOn(steps, first, watch, { turn, deadline })
      .finally(() => {
        deadline.end();
        watch.end();
        turn.giveUp();
      })
      .then(resolve, reject);
  });
}

/** The turn of one execution, which it has. */
class Turn {
  private isOurs = true;

  async pass(): Promise<void> {
    this.giveUp();
    await eventLoopTurned();
    await this.take();
  }

  async take(): Promise<void> {
    await turns.take();
    this.isOurs = true;
  }

  giveUp(): void {
    if (this.isOurs) turns.giveUp();
    this.isOurs = false;
  }
}

/** How often a session that waits is asked whether its execution is overdue. */
const OVERDUE_LOOK_MS = 25;

/** Ends waits that are overdue: a session may wait for seconds until the next event. */
class Deadline {
  private timer: NodeJS.Timeout | undefined;
  private passed: Promise<void> | undefined;

  constructor(private readonly isOverdue: () => boolean) {}

  /** Waits for the pause, and throws `GivenUp` when the execution is overdue: at once if the pause can be abandoned. */
  async ends({ promise, mayBeAbandoned }: Rest): Promise<void> {
    if (mayBeAbandoned && this.isOverdue !== never) {
      this.passed ??= this.watched();
      // The session is closed next, so that a wait which ends later counts no more.
      promise.catch(() => undefined);
      await Promise.race([promise, this.passed]);
    } else await promise;
  }

  check(): void {
    if (this.isOverdue()) throw new GivenUp();
  }

  end(): void {
    clearInterval(this.timer);
  }

  private watched(): Promise<void> {
    return new Promise((resolve) => {
      this.timer = setInterval(() => {
        if (this.isOverdue()) resolve();
      }, OVERDUE_LOOK_MS);
    });
  }
}

interface Going {
  readonly turn: Turn;
  readonly deadline: Deadline;
}

async function goOn<T>(
  steps: Steps<T>,
  first: Promise<void> | Rest,
  watch: Watch,
  { turn, deadline }: Going,
): Promise<T> {
  for (let pause: Promise<void> | Rest | undefined = first; ;) {
    if (pause instanceof Rest) {
      watch.rest();
      turn.giveUp();
      await deadline.ends(pause);
      await turn.take();
      deadline.check();
    } else if (pause !== undefined) await pause;
    else {
      watch.rest();
      await turn.pass();
      deadline.check();
      followPrinting();
    }
    watch.beat();
    const step = asSystem(() => steps.next());
    if (step.done === true) return step.value;
    pause = step.value;
  }
}
