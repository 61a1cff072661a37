import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

/** Names of files and folders that are there for a moment. They say whose they are, so that what a killed process left can be removed. */

const NAME = /^\.culprit-([0-9a-f]{8})-(\d+)-(\d+)-/;

/** Processes of another machine cannot be asked whether they are still there. */
const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

export const temporaryName = (suffix: string): string =>
  `.culprit-${host}-${process.pid}-${threadId}-${randomBytes(4).toString('hex')}${suffix}`;

const cleared = new Set<string>();

/** Removes what processes have left in a folder that were killed. Once: nothing stale is added while we run. */
export function clearStale(folder: string): void {
  if (cleared.has(folder)) return;
  cleared.add(folder);
  clear(folder, (pid) => isGone(pid));
}

/** Removes what a thread of this process has left that was ended. */
export const clearThread = (folder: string, ended: number): void =>
  clear(folder, (pid, thread) => pid === process.pid && thread === ended);

function clear(folder: string, isLeft: (pid: number, thread: number) => boolean): void {
  for (const name of namesIn(folder)) {
    const [, of, pid, thread] = NAME.exec(name) ?? [];
    if (of === host && isLeft(Number(pid), Number(thread))) attempt(() => removeTemporary(join(folder, name)));
  }
}

/** With what is in it; links in it are removed, and not followed. */
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

/** Does something that may fail without harm, and says whether it did. */
export function attempt(what: () => void): boolean {
  try {
    what();
    return true;
  } catch {
    return false;
  }
}
