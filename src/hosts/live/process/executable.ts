import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** How a program comes by the functions of libc: only one that is linked with it when it starts can be given others. */
export type Linking = 'dynamic' | 'static' | 'Go' | 'unknown';

/** Scripts name an interpreter, which may be a script as well. */
const INTERPRETERS_MAX = 4;

/** How the program of a command is linked; for a script, its interpreter. */
export function linkingOf(file: string, cwd: string, path: string): Linking {
  let found = locate(file, cwd, path);
  for (let depth = 0; found !== undefined && depth < INTERPRETERS_MAX; depth++) {
    const interpreter = withFile(found, interpreterOf);
    if (interpreter === undefined) return withFile(found, elfLinking) ?? 'unknown';
    found = locate(interpreter, cwd, path);
  }
  return 'unknown';
}

/** Where the operating system finds a program. */
function locate(file: string, cwd: string, path: string): string | undefined {
  if (file.includes('/')) return resolve(cwd, file);
  return path
    .split(delimiter)
    .map((folder) => join(folder, file))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Reads bytes of a file from a place on. */
type Read = (at: number, bytes: number) => Buffer;

/** Undefined for a file that cannot be read, or ends too early. */
function withFile<T>(file: string, look: (read: Read) => T): T | undefined {
  let descriptor: number | undefined;
  try {
    const opened = openSync(file, 'r');
    descriptor = opened;
    return look((at, bytes) => {
      const buffer = Buffer.alloc(bytes);
      return buffer.subarray(0, readSync(opened, buffer, 0, bytes, at));
    });
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** `#!/usr/bin/env -S python3 -u` names python3. */
function interpreterOf(read: Read): string | undefined {
  const [, line] = /^#!\s*([^\n]+)/.exec(read(0, 256).toString('latin1')) ?? [];
  const [interpreter, ...args] = line?.trim().split(/\s+/) ?? [];
  if (interpreter === undefined || !/(^|\/)env$/.test(interpreter)) return interpreter;
  return args.find((word) => !word.startsWith('-') && !word.includes('=')) ?? interpreter;
}

/** The parts of the format ELF that say how a program is linked. */
const ELF = '\u007fELF';
const INTERPRETER_SEGMENT = 3;
/** Every Go program has the table; the note may be stripped. */
const GO_SECTIONS: readonly string[] = ['.note.go.buildid', '.gopclntab'];

function elfLinking(read: Read): Linking {
  const header = read(0, 64);
  // Only 64 bits and little-endian, as on all machines of today.
  if (header.toString('latin1', 0, 4) !== ELF || header[4] !== 2 || header[5] !== 1) return 'unknown';
  if (sectionNames(header, read).some((name) => GO_SECTIONS.includes(name))) return 'Go';
  const [at, size, count] = [Number(header.readBigUInt64LE(32)), header.readUInt16LE(54), header.readUInt16LE(56)];
  const segments = read(at, size * count);
  const types = Array.from({ length: count }, (_, nth) => segments.readUInt32LE(nth * size));
  return types.includes(INTERPRETER_SEGMENT) ? 'dynamic' : 'static';
}

function sectionNames(header: Buffer, read: Read): readonly string[] {
  const [at, size, count] = [Number(header.readBigUInt64LE(40)), header.readUInt16LE(58), header.readUInt16LE(60)];
  const sections = Array.from({ length: count }, (_, nth) => read(at + nth * size, size));
  const names = sections[header.readUInt16LE(62)];
  if (names === undefined) return [];
  const text = read(Number(names.readBigUInt64LE(24)), Number(names.readBigUInt64LE(32))).toString('latin1');
  return sections.map((section) => {
    const from = section.readUInt32LE(0);
    return text.slice(from, text.indexOf('\0', from));
  });
}
