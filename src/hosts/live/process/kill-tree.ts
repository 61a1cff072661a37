import { setTimeout as delay } from 'node:timers/promises';
import { eventLoopTurned } from '../../../kernel/user-code/turns.ts';
import { threadsOf } from './proc.ts';

/** A process that waits for a disk stops and dies when the disk answers: culprit does not wait longer than so many looks. */
const LOOKS_MAX = 1_000;

/** The looks that follow each other at once; later ones are a millisecond apart. */
const EAGER_LOOKS = 5;

/**
 * Kills the processes of a tree: all that `living` lists, which must list descendants as long as their parents live. They are stopped
 * first. A process that starts another one and dies before anybody looks would leave a process that nothing recognizes, if that one
 * has cleared its environment; a stopped process starts none.
 */
export async function killTree(living: () => readonly number[]): Promise<void> {
  for (let tries = 0; tries < LOOKS_MAX; tries++) {
    const pids = await stopped(living);
    if (pids.length === 0) return;
    for (const pid of pids) sendSignal(pid, 'SIGKILL');
    for (let looks = 0; looks < LOOKS_MAX && living().length > 0; looks++) await betweenLooks(looks);
  }
}

/** Stops the processes of a tree, until there are no others. */
async function stopped(living: () => readonly number[]): Promise<readonly number[]> {
  const known = new Set<number>();
  for (let pids = living(); ; pids = living()) {
    const found = pids.filter((pid) => !known.has(pid));
    if (found.length === 0) return pids;
    for (const pid of found) {
      known.add(pid);
      sendSignal(pid, 'SIGSTOP');
    }
    // The signal is sent before the process has noticed it: until then it may start another one.
    for (let looks = 0; looks < LOOKS_MAX && !found.every(hasStopped); looks++) await betweenLooks(looks);
  }
}

/** Stops one process, and waits until it has stopped. */
export async function stopProcess(pid: number): Promise<void> {
  sendSignal(pid, 'SIGSTOP');
  for (let looks = 0; looks < LOOKS_MAX && !hasStopped(pid); looks++) await betweenLooks(looks);
}

const hasStopped = (pid: number): boolean => threadsOf(pid).every(({ state }) => 'TtZX'.includes(state));

const betweenLooks = (looks: number): Promise<unknown> => (looks < EAGER_LOOKS ? eventLoopTurned() : delay(1));

/** Whether the process was there to receive the signal. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
