import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { FileProblem, whyNot } from './file-problem.ts';
import { didYouMeanFile, filesToChoose } from './files-nearby.ts';
import { namesIfReadable, namesIn, readBytes, readUpTo, replaceFile } from './access.ts';
import { shownPath } from '../text/shown-path.ts';
import { BadTrace, readTrace, tooLarge, writeTrace } from '../trace/file.ts';
import type { Header, Trace } from '../trace/format.ts';
import { traceLimits } from '../trace/limits.ts';

/** Larger files are compressed. */
const PLAIN_BYTES_MAX = 1_000_000;

/**
 * Saves a trace under a unique name, by default after the violated oracle, and returns the path. Never overwrites
 * another trace; an equal one is left in place.
 */
export function saveTrace(trace: Trace, directory: string, called = slug(trace)): string {
  const bytes = encodedTrace(trace);
  const suffix = isGzip(bytes) ? '.trace.gz' : '.trace';
  for (let digits = 4; ; digits++) {
    const path = join(directory, `${called}-${trace.verdict.name.padEnd(digits, '0').slice(0, digits)}${suffix}`);
    if (existsSync(path)) {
      if (readBytes(path, 'Move it, or save elsewhere.').equals(bytes)) return path;
      continue;
    }
    replaceFile(path, bytes);
    return path;
  }
}

/** A trace and the file for it. */
export interface SavedTrace {
  readonly trace: Trace;
  readonly path: string;
  /** Why it could not be saved. */
  readonly unsaved?: FileProblem;
}

/** The same for a finding that must not be lost: if saving fails, the result says why. */
export const saveOrTell = (trace: Trace, directory: string): SavedTrace =>
  savedOr(trace, () => saveTrace(trace, directory));

/** A trace with its file, or with the reason why it was not saved. */
export function savedOr(trace: Trace, save: () => string): SavedTrace {
  try {
    return { trace, path: shownPath(save()) };
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return { trace, path: shownPath(error.path), unsaved: error };
  }
}

/** The trace files of a folder, by name: a minimized trace (`.min.trace`) comes before its original. */
export const tracesIn = (directory: string): string[] =>
  tracesAmong(namesIn(directory, 'Traces are saved in a folder: choose another one with `directory`.'), directory);

/** The same; none if the folder cannot be read. */
export const tracesIfReadable = (directory: string): string[] => tracesAmong(namesIfReadable(directory), directory);

const tracesAmong = (names: readonly string[], directory: string): string[] =>
  names
    .filter((name) => /\.trace(\.gz)?$/.test(name))
    .sort()
    .map((name) => shownPath(join(directory, name)));

/** Whether the trace is of this module with these parameters. */
export const isTraceOf = ({ header }: Trace, module: string | undefined, parameters: Header['parameters']): boolean =>
  module !== undefined && header.module === module && isDeepStrictEqual(header.parameters, parameters);

export function loadTrace(path: string): Trace {
  return readTrace(decode(read(path), path), path);
}

function read(path: string): Buffer {
  const bytes = readUpTo(path, traceLimits.bytes, nextIfUnread(path));
  if (bytes === undefined) throw tooLarge(path, 'bytes');
  return bytes;
}

function nextIfUnread(path: string): string {
  const traces = filesToChoose(path, /\.trace(\.gz)?$/);
  if (traces !== undefined) return `Give a trace in it: ${traces}`;
  const meant = existsSync(path) ? '.' : didYouMeanFile(path);
  return `Give the path of a trace file, such as .culprit/….trace${meant}`;
}

/** The bytes of a trace file. */
export function encodedTrace(trace: Trace): Uint8Array {
  const plain = Buffer.from(writeTrace(trace));
  if (plain.length <= PLAIN_BYTES_MAX) return plain;
  const zipped = gzipSync(plain);
  // The gzip header names the operating system; the same trace must have the same bytes everywhere.
  zipped[OS_BYTE] = OS_UNKNOWN;
  return zipped;
}

const OS_BYTE = 9;
const OS_UNKNOWN = 255;

function decode(bytes: Buffer, path: string): string {
  const plain = isGzip(bytes) ? unpacked(bytes, path) : bytes;
  if (isGzip(plain)) throw new BadTrace(`${path} is compressed twice.`, 'Unpack it once, with gunzip.');
  if (isUtf16(plain)) throw new BadTrace(`${path} is text in UTF-16; traces are text in UTF-8.`, 'Save it in UTF-8.');
  try {
    // Leaves out the mark of byte order that some editors begin files with.
    return new TextDecoder('utf-8', { fatal: true }).decode(plain);
  } catch (error) {
    throw new BadTrace(`${path} is not text in UTF-8.`, DAMAGED, { cause: error });
  }
}

const DAMAGED = 'The file is damaged: copy it again from its source, or hunt again with its seed.';

/** By the mark of byte order that such a text begins with. */
const isUtf16 = ([one, other]: Uint8Array): boolean =>
  (one === 0xff && other === 0xfe) || (one === 0xfe && other === 0xff);

function unpacked(bytes: Buffer, path: string): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: traceLimits.bytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(path, 'bytes');
    throw new BadTrace(`${path} cannot be unpacked: ${whyNot(error, path)}.`, DAMAGED, { cause: error });
  }
}

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** `mutualExclusion` becomes `mutual-exclusion`. */
const slug = ({ verdict }: Trace): string =>
  (verdict.verdict === 'violated' ? verdict.oracle : verdict.verdict)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .toLowerCase() || 'trace';
