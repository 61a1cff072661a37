import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';
import { FileProblem } from './file-problem.ts';
import { attempt, clearStale, removeTemporary, temporaryName } from './temporary.ts';

/** All files that are kept are read and written here, and whatever the file system says against it becomes a sentence. */

const ELSEWHERE = 'Choose another folder with --out, or `directory` in code.';

export function readBytes(path: string, next: string): Buffer {
  try {
    return partsOf(path, Number.POSITIVE_INFINITY) as Buffer;
  } catch (error) {
    throw new FileProblem(path, 'read', error, next);
  }
}

/** The whole file; undefined where it is longer, and then it is not read on: it may have no end. */
export function readUpTo(path: string, bytesMax: number, next: string): Buffer | undefined {
  try {
    return partsOf(path, bytesMax);
  } catch (error) {
    throw new FileProblem(path, 'read', error, next);
  }
}

const READ_BYTES = 1 << 20;

/** Opening a pipe would wait for a process at its other end, which may never come. Windows has no such pipes. */
const AT_ONCE = (constants.O_NONBLOCK as number | undefined) ?? 0;

function partsOf(path: string, bytesMax: number): Buffer | undefined {
  const parts: Buffer[] = [];
  const descriptor = openSync(path, constants.O_RDONLY | AT_ONCE);
  try {
    for (let length = 0; length <= bytesMax;) {
      const part = Buffer.allocUnsafe(READ_BYTES);
      const count = readPart(descriptor, part);
      if (count === 0 && length === 0 && fstatSync(descriptor).isFIFO())
        throw new Error('no process writes to this pipe');
      if (count === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, count));
      length += count;
    }
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** How long to wait for the process that writes to a pipe, each time. */
const PIPE_MS = 10;

function readPart(descriptor: number, part: Buffer): number {
  for (;;) {
    try {
      return readSync(descriptor, part);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_MS);
    }
  }
}

/** The names in a folder; none where it is not there. */
export function namesIn(folder: string, next: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const problem = new FileProblem(folder, 'read', error, next);
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing && lstatSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    throw problem;
  }
}

/** The same where a folder is looked into only because something may be there: none where it cannot be read. */
export function namesIfReadable(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function removeFile(path: string, next: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    // Where it cannot be, it is not.
    if (existsSync(path)) throw new FileProblem(path, 'removed', error, next);
  }
}

/** At one go: everybody who looks sees the whole file, or what was there before. Folders on the way are made. */
export function replaceFile(path: string, bytes: Buffer, next = ELSEWHERE): void {
  try {
    makeFolder(dirname(path));
    const there = statSync(path, { throwIfNoEntry: false });
    if (there === undefined || there.isFile()) rename(there === undefined ? path : realpathSync(path), bytes);
    else if (there.isFIFO()) writeToPipe(path, bytes);
    // A device takes what is written, and is not replaced. A folder says that it is one.
    else writeFileSync(path, bytes);
  } catch (error) {
    throw new FileProblem(path, 'written', error, next);
  }
}

/** Opens it twice: at once, which fails where no process reads from it, and then to wait for that process while it reads. */
function writeToPipe(path: string, bytes: Buffer): void {
  const opened = [constants.O_WRONLY | AT_ONCE, constants.O_WRONLY].map((flags) => openSync(path, flags));
  try {
    writeFileSync(opened[1] as number, bytes);
  } finally {
    opened.forEach((descriptor) => closeSync(descriptor));
  }
}

/** One by one: where a folder can never be made, Node tries for ever to make it with those above it. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process has made it; a link that leads nowhere says so.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    statSync(folder);
  }
}

/**
 * Writes a file under another name first, which a process that is killed leaves: where that does no harm, as long as the file can be
 * renamed from there, which takes the same disk.
 */
function rename(path: string, bytes: Buffer): void {
  // Renaming would replace a link that leads nowhere.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) statSync(path);
  const folder = dirname(path);
  const harmless = [cacheFolder(folder), tmpdir()].filter((at) => at !== undefined && isSameDisk(at, folder));
  if (harmless.some((at) => attempt(() => renameFrom(at as string, path, bytes)))) return;
  renameFrom(folder, path, bytes);
}

function renameFrom(folder: string, path: string, bytes: Buffer): void {
  clearStale(folder);
  const part = join(folder, temporaryName('.part'));
  try {
    // Never over an existing file, nor through a link.
    writeFileSync(part, bytes, { flag: 'wx' });
    renameSync(part, path);
  } catch (error) {
    attempt(() => removeTemporary(part));
    throw error;
  }
}

const isSameDisk = (one: string, other: string): boolean =>
  statSync(one, { throwIfNoEntry: false })?.dev === statSync(other).dev;
