import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { threadId } from 'node:worker_threads';
import { gunzipSync, gzipSync } from 'node:zlib';
import { BadTrace, readTrace, tooLarge, writeTrace } from './trace/file.ts';
import type { Header, Trace } from './trace/format.ts';
import { traceLimits } from './trace/limits.ts';

/** Larger files are compressed. */
const PLAIN_BYTES_MAX = 1_000_000;

/**
 * Saves a trace under a name of its own, called after what it violates unless something else is said, and says where. Never
 * overwrites another one; the same one is left as it is.
 */
export function saveTrace(trace: Trace, directory: string, called = slug(trace)): string {
  const bytes = encodedTrace(trace);
  const suffix = isGzip(bytes) ? '.trace.gz' : '.trace';
  for (let digits = 4; ; digits++) {
    const path = join(directory, `${called}-${trace.verdict.name.padEnd(digits, '0').slice(0, digits)}${suffix}`);
    if (existsSync(path)) {
      if (readFileSync(path).equals(bytes)) return path;
      continue;
    }
    replaceFile(path, bytes);
    return path;
  }
}

/** Renaming is atomic: whoever looks sees the whole file, or what was there before. */
export function replaceFile(path: string, bytes: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  // Another process may be writing the same.
  const part = `${path}.${process.pid}-${threadId}.part`;
  writeFileSync(part, bytes);
  renameSync(part, path);
}

/** As short as it can be and still lead there from here. */
export function shownPath(path: string): string {
  const fromHere = relative('', path);
  return fromHere.startsWith('..') ? resolve(path) : fromHere;
}

/** The trace files of a folder, by name: a minimised one (`.min.trace`) comes before what it was made from. */
export const tracesIn = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory)
        .filter((name) => /\.trace(\.gz)?$/.test(name))
        .sort()
        .map((name) => shownPath(join(directory, name)))
    : [];

/** Whether it was made from that module, with those parameters. */
export const isTraceOf = ({ header }: Trace, module: string | undefined, parameters: Header['parameters']): boolean =>
  module !== undefined && header.module === module && isDeepStrictEqual(header.parameters, parameters);

export function loadTrace(path: string): Trace {
  return readTrace(decode(read(path), path), path);
}

function read(path: string): Buffer {
  try {
    return readUpTo(path, traceLimits.bytes);
  } catch (error) {
    if (error instanceof BadTrace) throw error;
    throw new BadTrace(
      `${path} cannot be read: ${reason(error)}.`,
      'Give the path of a trace file, such as .culprit/….trace.',
      { cause: error },
    );
  }
}

/** The whole file. One that is longer than that is not read on: it may have no end. */
function readUpTo(path: string, bytesMax: number): Buffer {
  const parts: Buffer[] = [];
  const descriptor = openSync(path, 'r');
  try {
    for (let length = 0; ;) {
      const part = Buffer.allocUnsafe(READ_BYTES);
      const count = readSync(descriptor, part);
      if (count === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, count));
      length += count;
      if (length > bytesMax) throw tooLarge(path, 'bytes');
    }
  } finally {
    closeSync(descriptor);
  }
}

const READ_BYTES = 1 << 20;

/** The bytes of a trace file. */
export function encodedTrace(trace: Trace): Buffer {
  const plain = Buffer.from(writeTrace(trace));
  if (plain.length <= PLAIN_BYTES_MAX) return plain;
  const zipped = gzipSync(plain);
  // The header names the operating system; the same trace must have the same bytes everywhere.
  zipped[OS_BYTE] = OS_UNKNOWN;
  return zipped;
}

const OS_BYTE = 9;
const OS_UNKNOWN = 255;

function decode(bytes: Buffer, path: string): string {
  if (!isGzip(bytes)) return bytes.toString();
  try {
    return gunzipSync(bytes, { maxOutputLength: traceLimits.bytes }).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(path, 'bytes');
    throw new BadTrace(
      `${path} cannot be unpacked: ${reason(error)}.`,
      'The file is damaged: take it from where it was made, or hunt again with its seed.',
      {
        cause: error,
      },
    );
  }
}

export const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** `mutualExclusion` becomes `mutual-exclusion`. */
const slug = ({ verdict }: Trace): string =>
  (verdict.verdict === 'violated' ? verdict.oracle : verdict.verdict)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .toLowerCase() || 'trace';
