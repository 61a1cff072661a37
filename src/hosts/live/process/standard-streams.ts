import { execFile, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';

const { O_RDONLY, O_WRONLY, O_RDWR, O_NONBLOCK } = constants;

/** The standard streams of a program, at our end. */
export interface StandardStreams {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /**
   * Reads at once what the program has written to a stream; undefined if there is nothing. The chunk is valid until the next one is read.
   * Not there for streams that only the event loop can read.
   */
  readonly readNow?: (stream: 'stdout' | 'stderr') => Buffer | undefined;
}

/** Streams that wait for a program. */
export interface PreparedStreams {
  /** What the program inherits. */
  readonly stdio: StdioOptions;
  /** Takes our ends when the program was started. */
  of(process: ChildProcess): StandardStreams;
  /** Closes everything: the program was not started. */
  discard(): void;
}

/**
 * Prepares the standard streams of a program: named pipes, which have no name any more when the program starts. The pipes of Node's
 * `spawn` are sockets, and a program cannot open those again as `/dev/stdout` or `/dev/stderr`.
 */
export async function preparedStreams(folder: string): Promise<PreparedStreams> {
  if (process.platform !== 'linux') return spawnedStreams;
  const place = mkdtempSync(join(folder, 'streams-'));
  const paths = ['in', 'out', 'err'].map((name) => join(place, name));
  try {
    await promisify(execFile)('mkfifo', ['-m', '600', ...paths]);
    return new NamedPipes(paths as [string, string, string]);
  } catch (error) {
    // A machine without mkfifo, or a file system without named pipes: most programs do not open their streams again.
    if (isLackOfPipes(error)) return spawnedStreams;
    throw error;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** The program is not there, or it ran and failed: then its exit code is a number. */
const isLackOfPipes = (error: unknown): boolean => {
  const { code, syscall } = error as { code?: unknown; syscall?: string };
  return typeof code === 'number' || (code === 'ENOENT' && syscall?.startsWith('spawn') === true);
};

const spawnedStreams: PreparedStreams = {
  stdio: 'pipe',
  of({ stdin, stdout, stderr }) {
    // All of them are there, because they were asked for.
    return { stdin, stdout, stderr } as StandardStreams;
  },
  discard: () => undefined,
};

/** As much as a pipe usually holds. It is used again for each chunk. */
const chunk = Buffer.alloc(1 << 16);

/** What is in a pipe that does not block; undefined if there is nothing, or its end. */
function unreadOf(descriptor: number): Buffer | undefined {
  try {
    const bytes = readSync(descriptor, chunk, 0, chunk.length, null);
    return bytes === 0 ? undefined : chunk.subarray(0, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

class NamedPipes implements PreparedStreams {
  readonly stdio: readonly [number, number, number] & number[];
  private readonly ours: readonly [number, number, number];

  constructor([stdin, stdout, stderr]: readonly [string, string, string]) {
    // Opening one end waits for the other, unless a descriptor has both.
    const both = [stdin, stdout, stderr].map((path) => openSync(path, O_RDWR | O_NONBLOCK));
    // Each end is opened by itself, so that only ours does not block.
    this.stdio = [openSync(stdin, O_RDONLY), openSync(stdout, O_WRONLY), openSync(stderr, O_WRONLY)];
    this.ours = [
      openSync(stdin, O_WRONLY | O_NONBLOCK),
      openSync(stdout, O_RDONLY | O_NONBLOCK),
      openSync(stderr, O_RDONLY | O_NONBLOCK),
    ];
    for (const descriptor of both) closeSync(descriptor);
  }

  of(): StandardStreams {
    for (const descriptor of this.stdio) closeSync(descriptor);
    const [stdin, stdout, stderr] = this.ours;
    const sockets = {
      stdin: new Socket({ fd: stdin, readable: false, writable: true }),
      stdout: new Socket({ fd: stdout, readable: true, writable: false }),
      stderr: new Socket({ fd: stderr, readable: true, writable: false }),
    };
    const descriptors = { stdout, stderr };
    return {
      ...sockets,
      // The descriptor of a stream that is destroyed may belong to another one already.
      readNow: (stream) => (sockets[stream].destroyed ? undefined : unreadOf(descriptors[stream])),
    };
  }

  discard(): void {
    for (const descriptor of [...this.stdio, ...this.ours]) closeSync(descriptor);
  }
}
