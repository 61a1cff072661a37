import { setTimeout as delay } from 'node:timers/promises';
import { eventLoopTurned } from '../../../kernel/user-code/turns.ts';
import { threadsOf, treeOf } from './proc.ts';

/**
 * Finds out when a program has finished reacting, without touching it. Two looks at all its threads: each sleeps in both, and none has
 * switched in between. Then its output is read; if there was none, the program is quiet.
 *
 * This is sound for everything that we or the program itself wake: a write makes the reader runnable before it returns, and a thread
 * that ran has switched. It does not cover timers of the program, and sockets to others.
 */

/** All threads of a program and its descendants in one text; undefined if one of them runs or waits for a disk. */
function sleepingThreads(pid: number): string | undefined {
  const threads = treeOf(pid).flatMap(threadsOf);
  const alive = threads.filter(({ state }) => state !== 'Z');
  if (!alive.every(({ state }) => state === 'S' || state === 'T')) return undefined;
  return alive.map(({ id, switches }) => `${id} ${switches}`).join('\n');
}

/** The looks that follow each other at once; later ones are a millisecond apart, so that a busy program has the processor. */
const EAGER_LOOKS = 20;

/** Whether the program is quiet before the time is over. `outputs` counts the chunks of output that were read. */
export async function quietWithin(pid: number, ms: number, outputs: () => number): Promise<boolean> {
  const untilMs = performance.now() + ms;
  for (let looks = 1; ; looks++) {
    if (await isQuiet(pid, outputs)) return true;
    if (performance.now() >= untilMs) return false;
    if (looks > EAGER_LOOKS) await delay(1);
  }
}

async function isQuiet(pid: number, outputs: () => number): Promise<boolean> {
  const before = outputs();
  const one = sleepingThreads(pid);
  await outputRead();
  return one !== undefined && sleepingThreads(pid) === one && (await outputRead(), outputs() === before);
}

/** An immediate follows the phase in which Node reads from pipes; a second one makes sure that a whole phase lies between. */
async function outputRead(): Promise<void> {
  await eventLoopTurned();
  await eventLoopTurned();
}

const STARTUP = { looks: 20, apartMs: 10 };

/** Whether a program that has nothing to do runs all the same, because it polls: then looks at its threads say nothing. */
export async function polls(pid: number): Promise<boolean> {
  const seen = new Set<string | undefined>();
  for (let look = 0; look < STARTUP.looks; look++) {
    seen.add(sleepingThreads(pid));
    await delay(STARTUP.apartMs);
  }
  return seen.size > 1;
}
