import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

/**
 * Names of temporary files and folders. They contain the process id, so that leftovers of a killed process can be
 * removed.
 */

const NAME = /^\.culprit-([0-9a-f]{8})-(\d+)-(\d+)-/;

/** The machine is part of the name, because the processes of another machine cannot be probed. */
const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

export const temporaryName = (suffix: string): string =>
  `.culprit-${host}-${process.pid}-${threadId}-${randomBytes(4).toString('hex')}${suffix}`;

const cleared = new Set<string>();

/**
 * Removes the leftovers of killed processes from a folder. Once is enough: no leftovers appear while this process runs.
 */
export function clearStale(folder: string): void {
  if (cleared.has(folder)) return;
  cleared.add(folder);
  clear(folder, (pid) => isGone(pid));
}

/** Removes the leftovers of a terminated thread of this process. */
export const clearThread = (folder: string, ended: number): void =>
  clear(folder, (pid, thread) => pid === process.pid && thread === ended);

function clear(folder: string, isLeft: (pid: number, thread: number) => boolean): void {
  for (const name of namesIn(folder)) {
    const [, of, pid, thread] = NAME.exec(name) ?? [];
    if (of === host && isLeft(Number(pid), Number(thread))) attempt(() => removeTemporary(join(folder, name)));
  }
}

/** Removes a folder and its contents; links are removed, not followed. */
export const removeTemporary = (path: string): void => rmSync(path, { recursive: true, force: true });

function namesIn(folder: string): string[] {
  let names: string[] = [];
  attempt(() => (names = readdirSync(folder)));
  return names;
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Runs an operation that may fail without harm; returns whether it succeeded. */
export function attempt(what: () => void): boolean {
  try {
    what();
    return true;
  } catch {
    return false;
  }
}
