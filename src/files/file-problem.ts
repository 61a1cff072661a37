import { lstatSync, readlinkSync, statSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import { CulpritError } from '../error.ts';
import { foldersAbove } from './module-path.ts';
import { shownPath } from '../text/shown-path.ts';

/** A file or folder that cannot be read or written: names it and the reason. */
export class FileProblem extends CulpritError {
  readonly code = 'FILE_PROBLEM';

  constructor(
    readonly path: string,
    /** The operation that failed. */
    deed: 'read' | 'removed' | 'written',
    cause: unknown,
    next: string,
  ) {
    super(`${shownPath(path) || 'this folder'} cannot be ${deed}: ${whyNot(cause, path)}.`, next, { cause });
  }
}

/** The reason of a file system error, in words. */
export function whyNot(error: unknown, path: string): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const found = OF_PATHS.has(code) ? obstacle(path) : undefined;
  return found ?? WORDS[code] ?? message;
}

/** Errors that an obstacle on the path may cause. */
const OF_PATHS = new Set(['EEXIST', 'EISDIR', 'ENOENT', 'ENOTDIR', 'ENOTEMPTY']);

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'another program uses it',
  EDQUOT: 'the quota of the disk is used up',
  EEXIST: 'it exists already',
  EFBIG: 'it is too large for the disk',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'symbolic links form a cycle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENFILE: 'too many files are open on this machine',
  ENOENT: 'it does not exist',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ENXIO: 'no process is at its other end',
  EPERM: 'permission denied',
  EPIPE: 'the process that reads from it has ended',
  EROFS: 'the file system is read-only',
};

/** The nearest existing entry on the path, if it blocks the path. */
function obstacle(path: string): string | undefined {
  const whole = resolve(path);
  for (const at of foldersAbove(whole)) {
    const found = lookAt(lstatSync, at);
    if (found === undefined) continue;
    const behind = found.isSymbolicLink() ? lookAt(statSync, at) : found;
    const name = at === whole ? 'it' : shownPath(at) || 'this folder';
    if (behind === undefined) return `${name} is a symbolic link to ${readlinkSync(at)}, which does not exist`;
    if (at === whole) return behind.isDirectory() ? 'it is a folder' : 'it is a file, not a folder';
    return behind.isDirectory() ? undefined : `${name} is a file, not a folder`;
  }
  return undefined;
}

function lookAt(stat: (path: string) => Stats, path: string): Stats | undefined {
  try {
    return stat(path);
  } catch {
    return undefined;
  }
}
