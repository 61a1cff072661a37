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

/** Reads and writes all files, and turns errors of the file system into sentences. */

const ELSEWHERE = 'Choose another folder with --out, or `directory` in code.';

export function readBytes(path: string, next: string): Buffer {
  try {
    return partsOf(path, Number.POSITIVE_INFINITY) as Buffer;
  } catch (error) {
    throw new FileProblem(path, 'read', error, next);
  }
}

/** The whole file; undefined if it is longer than the limit. Reading stops there, because a device may have no end. */
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

/** The names in a folder; none if the folder does not exist. */
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

/** The same for an optional folder: none if it cannot be read. */
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
    // A file that does not exist needs no removing.
    if (existsSync(path)) throw new FileProblem(path, 'removed', error, next);
  }
}

/** Replaces a file atomically: readers see the old contents or the new, never a part. Creates missing folders. */
export function replaceFile(path: string, bytes: Uint8Array, next = ELSEWHERE): void {
  try {
    makeFolder(dirname(path));
    const there = statSync(path, { throwIfNoEntry: false });
    if (there === undefined || there.isFile()) rename(there === undefined ? path : realpathSync(path), bytes);
    else if (there.isFIFO()) writeToPipe(path, bytes);
    // Write to a device or a pipe directly: renaming would replace it. A folder fails with an error that says so.
    else writeFileSync(path, bytes);
  } catch (error) {
    throw new FileProblem(path, 'written', error, next);
  }
}

/** Opens it twice: at once, which fails where no process reads from it, and then to wait for that process while it reads. */
function writeToPipe(path: string, bytes: Uint8Array): void {
  const opened = [constants.O_WRONLY | AT_ONCE, constants.O_WRONLY].map((flags) => openSync(path, flags));
  try {
    writeFileSync(opened[1] as number, bytes);
  } finally {
    opened.forEach((descriptor) => closeSync(descriptor));
  }
}

/** Creates folders one by one: `recursive` never returns if a parent cannot be created. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have created it; a dangling link fails with an error that says so.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    statSync(folder);
  }
}

/**
 * Writes a temporary file and renames it. A killed process leaves that file behind, so it lies in the cache folder or
 * the temporary folder, if one of them is on the same disk: renaming does not work across disks.
 */
function rename(path: string, bytes: Uint8Array): void {
  // Renaming would replace a dangling link.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) statSync(path);
  const folder = dirname(path);
  const harmless = [cacheFolder(folder), tmpdir()].filter((at) => at !== undefined && isSameDisk(at, folder));
  if (harmless.some((at) => attempt(() => renameFrom(at as string, path, bytes)))) return;
  renameFrom(folder, path, bytes);
}

function renameFrom(folder: string, path: string, bytes: Uint8Array): void {
  clearStale(folder);
  const part = join(folder, temporaryName('.part'));
  try {
    // Never overwrite a file, or follow a link.
    writeFileSync(part, bytes, { flag: 'wx' });
    renameSync(part, path);
  } catch (error) {
    attempt(() => removeTemporary(part));
    throw error;
  }
}

const isSameDisk = (one: string, other: string): boolean =>
  statSync(one, { throwIfNoEntry: false })?.dev === statSync(other).dev;
