import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allProcesses, environmentOf, startTimeOf } from '../process/proc.ts';
import { FOLDER, MARK, OWNER } from './live-session.ts';

/** Something that a session has, or has left. */
export type Leftover = {
  /** The culprit that made it. */
  readonly culprit: number;
  readonly isCulpritGone: boolean;
} & (
  | { readonly kind: 'process'; readonly pid: number; readonly startTime: string; readonly command: string }
  | { readonly kind: 'folder'; readonly path: string }
);

/** Everything on this machine that has our mark, of sessions that run and of those that are over. Nothing is recognized by its name alone. */
export const leftovers = (): Leftover[] => [...markedProcesses(), ...markedFolders(tmpdir())];

function markedProcesses(): Leftover[] {
  const others = allProcesses().filter((pid) => pid !== process.pid);
  return others.flatMap((pid): Leftover[] => {
    const mark = environmentOf(pid).find((entry) => entry.startsWith(`${MARK}=`));
    const owner = mark === undefined ? undefined : ownerIn(mark.slice(MARK.length + 1));
    if (owner === undefined) return [];
    return [{ kind: 'process', pid, startTime: startTimeOf(pid), command: commandOf(pid), ...owner }];
  });
}

function markedFolders(parent: string): Leftover[] {
  return readdirSync(parent)
    .filter((name) => name.startsWith(FOLDER))
    .flatMap((name): Leftover[] => {
      const path = join(parent, name);
      const owner = ownerIn(textOf(join(path, OWNER)));
      return owner === undefined || !isOwn(path) ? [] : [{ kind: 'folder', path, ...owner }];
    });
}

/** A mark begins with the id and the start time of the culprit that made it; undefined for any other text. */
function ownerIn(mark: string): Pick<Leftover, 'culprit' | 'isCulpritGone'> | undefined {
  const [, pid, startTime] = /^(\d+):(\d*)-/.exec(mark) ?? [];
  if (pid === undefined) return undefined;
  return { culprit: Number(pid), isCulpritGone: startTimeOf(Number(pid)) !== startTime };
}

const isOwn = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const commandOf = (pid: number): string => textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();

/** Removes something whose culprit is gone. A process that has ended meanwhile is left alone, also if its id is used again. */
export function remove(leftover: Leftover): void {
  if (!leftover.isCulpritGone) return;
  if (leftover.kind === 'folder') return rmSync(leftover.path, { recursive: true, force: true });
  if (startTimeOf(leftover.pid) !== leftover.startTime) return;
  try {
    process.kill(leftover.pid, 'SIGKILL');
  } catch {
    // It has ended, or belongs to another user: the next list shows it.
  }
}
