import { setTimeout as delay } from 'node:timers/promises';
import { eventLoopTurned } from '../../../kernel/user-code/turns.ts';
import type { Descendants } from './descendants.ts';
import { areOffProcessor, threadsOf } from './proc.ts';

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
  /** Resolves when the program has ended and its output has been read. */
  readonly ended: Promise<unknown>;
}

/** All threads of a program and its descendants in one text; undefined if one of them runs or waits for a disk. */
export function sleepingThreads(pids: readonly number[]): string | undefined {
  const threads = pids.flatMap(threadsOf);
  const alive = threads.filter(({ state }) => state !== 'Z' && state !== 'X');
  if (!alive.every(({ state }) => state === 'S' || state === 'T')) return undefined;
  return alive.map(({ id, switches }) => `${id} ${switches}`).join('\n');
}

/** The looks that follow each other at once; later ones are a millisecond apart, so that a busy program has the processor. */
const EAGER_LOOKS = 20;

/** Whether the program is quiet before the time is over. One that has ended is quiet when its end is known. */
export async function quietWithin(program: Watched, ms: number): Promise<boolean> {
  const untilMs = performance.now() + ms;
  for (let looks = 1; ; looks++) {
    const threads = await quietThreads(program);
    if (threads !== undefined) {
      const isAlive = threads.split('\n').some((thread) => thread.startsWith(`${program.descendants.pid}/`));
      if (!isAlive) await program.ended;
      return true;
    }
    if (performance.now() >= untilMs) return false;
    if (looks > EAGER_LOOKS) await delay(1);
  }
}

/** The threads of a program that is quiet; undefined if it is not. */
async function quietThreads(program: Watched): Promise<string | undefined> {
  const { descendants, outputs } = program;
  // The second look makes sure that these are all.
  const pids = descendants.lately();
  const one = sleepingThreads(pids);
  await outputRead();
  if (one === undefined || !hasNotRun(descendants, pids, one)) return undefined;
  await outputRead();
  return program.outputs === outputs ? one : undefined;
}

/** Whether the same threads sleep as before, none has run in between, and there is no other process. */
function hasNotRun(descendants: Descendants, pids: readonly number[], before: string): boolean {
  // In this order: a thread that has left the processor has been counted as switched.
  const isSame = pids.every(areOffProcessor) && sleepingThreads(pids) === before;
  return isSame && descendants.now().join(' ') === pids.join(' ');
}

/** An immediate follows the phase in which Node reads from pipes; a second one makes sure that a whole phase lies between. */
async function outputRead(): Promise<void> {
  await eventLoopTurned();
  await eventLoopTurned();
}
