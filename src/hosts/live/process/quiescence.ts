import { setTimeout as delay } from 'node:timers/promises';
import type { Descendants } from './descendants.ts';
import { isOffProcessor, lookAt } from './proc.ts';

/**
 * Finds out when a program has finished reacting, without touching it. Two looks at all its threads: each sleeps in both, and none has
 * switched in between. Then its output is read; if there was none, the program is quiet.
 *
 * This is sound for everything that we or the program itself wake: a write makes the reader runnable before it returns, and a thread
 * that ran has switched. It does not cover timers of the program, disks that work without a thread, terminals, and sockets to others.
 */

/** A program that is watched. */
export interface Watched {
  readonly descendants: Descendants;
  /** The number of chunks of output that were read. */
  readonly outputs: number;
  /** Reads the output that is there. A promise where only the event loop can read it. */
  readOutput(): void | Promise<void>;
  /** Resolves when the program has ended and its output has been read. */
  readonly ended: Promise<unknown>;
}

/** All of these threads that are alive in one text; undefined if one of them runs or waits for a disk. */
export function sleepingThreads(ids: readonly string[]): string | undefined {
  let text = '';
  for (const id of ids) {
    const { state, switches } = lookAt(id);
    if (state === 'S' || state === 'T') text += `${id} ${switches}\n`;
    else if (state !== 'Z' && state !== 'X') return undefined;
  }
  return text;
}

/** So many attempts follow each other after a short sleep; later ones are a millisecond apart, so that a busy program has the processor. */
const EAGER_ATTEMPTS = 20;

/** Whether the program is quiet before the time is over. One that has ended is quiet when its end is known. */
export async function quietWithin(program: Watched, ms: number): Promise<boolean> {
  const untilMs = performance.now() + ms;
  const looks = new Looks(program);
  for (let attempts = 1; ; attempts++) {
    const threads = await looks.quietThreads();
    if (threads !== undefined) {
      const isAlive = threads.split('\n').some((thread) => thread.startsWith(`${program.descendants.pid}/`));
      if (!isAlive) await program.ended;
      return true;
    }
    if (performance.now() >= untilMs) return false;
    if (attempts > EAGER_ATTEMPTS) await delay(1);
    else sleepShortly();
  }
}

/** Leaves the processor to others without the price of a turn of the event loop. */
const sleepShortly = (): void => void Atomics.wait(nobodyWakes, 0, 0, SHORTLY_MS);
const SHORTLY_MS = 0.05;
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));

/** Looks at the threads of one program. */
class Looks {
  /** As they were listed last. */
  private threads: readonly string[];

  constructor(private readonly program: Watched) {
    this.threads = program.descendants.threads;
  }

  /** The threads of the program if it is quiet; undefined if it is not. */
  async quietThreads(): Promise<string | undefined> {
    const { program } = this;
    const before = sleepingThreads(this.threads);
    if (before === undefined) return undefined;
    const reading = program.readOutput();
    if (reading !== undefined) await reading;
    const { outputs } = program;
    if (!this.hasNotRun(before)) return undefined;
    const rest = program.readOutput();
    if (rest !== undefined) await rest;
    return program.outputs === outputs ? before : undefined;
  }

  /**
   * Whether these are all threads, and none has run since the look. They are listed between the two looks: what a thread woke that has ended before
   * the list, and what made a thread after it, shows in the second look. That comes last, because a thread that has left the processor
   * has been counted as switched.
   */
  private hasNotRun(before: string): boolean {
    return this.areAll() && this.threads.every(isOffProcessor) && sleepingThreads(this.threads) === before;
  }

  /** Lists the threads of all processes again; whether they are those of the last time. */
  private areAll(): boolean {
    const { descendants } = this.program;
    descendants.now();
    const isSame = descendants.threads === this.threads || descendants.threads.join(' ') === this.threads.join(' ');
    this.threads = descendants.threads;
    return isSame;
  }
}
