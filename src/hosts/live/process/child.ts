import { spawn, type ChildProcess } from 'node:child_process';
import type { Exit } from '../../../kernel/uncontrolled/inbox.ts';
import { eventLoopTurned } from '../../../kernel/user-code/turns.ts';
import { Descendants } from './descendants.ts';
import { killTree, sendSignal } from './kill-tree.ts';
import { OutputLines } from './output-lines.ts';
import { hasProc, isAlive, startTimeOf } from './proc.ts';
import { preparedStreams, type StandardStreams } from './standard-streams.ts';

/** How a program is started. */
export interface ChildOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The entry of the environment that only this child and its descendants have. */
  readonly mark: string;
  /** A folder in which its standard streams may be for a moment. */
  readonly folder: string;
  /** Whether all that it says comes through its standard streams. */
  readonly speaksInStreams: boolean;
}

type Stream = 'stdout' | 'stderr';

interface Listeners {
  line(line: string, stream: Stream): void;
  exit(how: Exit): void;
  /** The program is about to start; later: it has started, or could not. */
  expect(what: 'starting' | 'started'): void;
  /** A process of the program was seen for the first time: it must not outlive the program. */
  found(pid: number, startTime: string): void;
}

/** How many of its last lines an ended program is shown with. */
const LAST_LINES = 20;

/** How long the output of an ended program is awaited: a descendant may keep the pipe open. */
const OUTPUT_MS = 500;

/** A running program: a process of the operating system, in a group of its own, whose descendants end with it. */
export class Child {
  readonly pid: number;
  /** The processes whose threads say whether it is quiet: itself and all that it has started. */
  readonly descendants: Descendants;
  private readonly lines: { readonly [S in Stream]: OutputLines };
  private readonly last: string[] = [];
  private readonly listeners: Listeners;
  private isAskedToEnd = false;
  private readonly isReadAtOnce: boolean;
  /** Resolves when the program has ended and its output has been read. */
  readonly ended: Promise<Exit>;
  /** The number of chunks of output that were read. */
  outputs = 0;

  private constructor(
    private readonly process: ChildProcess & { readonly pid: number },
    private readonly streams: StandardStreams,
    { mark, speaksInStreams }: ChildOptions,
    listeners: Partial<Listeners>,
  ) {
    this.pid = process.pid;
    this.listeners = { line: ignored, exit: ignored, expect: ignored, found: ignored, ...listeners };
    const found = (pid: number, startTime: string): void => this.listeners.found(pid, startTime);
    this.descendants = new Descendants(this.pid, mark, found);
    this.isReadAtOnce = speaksInStreams;
    this.lines = { stdout: this.linesOf('stdout'), stderr: this.linesOf('stderr') };
    for (const stream of [streams.stdin, streams.stdout, streams.stderr]) stream.on('error', ignored);
    this.ended = endOf(process, streams).then((how) => this.hasEnded(how));
  }

  /** Starts a program. Rejects if it cannot be started, such as for a file that is not there. */
  static async start(options: ChildOptions, listeners: Partial<Listeners>): Promise<Child> {
    const { file, args, cwd, env, folder } = options;
    const prepared = await preparedStreams(folder);
    try {
      listeners.expect?.('starting');
      const process = spawn(file, args, { cwd, env: { ...env }, detached: true, stdio: prepared.stdio });
      // Before anything else may happen: a program can clear its environment at once.
      if (process.pid !== undefined) listeners.found?.(process.pid, startTimeOf(process.pid));
      await hasStarted(process);
      // A process that has started has an id.
      return new Child(process as ChildProcess & { pid: number }, prepared.of(process), options, listeners);
    } catch (error) {
      prepared.discard();
      throw error;
    } finally {
      listeners.expect?.('started');
    }
  }

  /** The last lines that it printed. */
  get lastLines(): readonly string[] {
    return this.last;
  }

  get hasExited(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** Writes to its standard input. An ended program takes nothing. */
  write(text: string): void {
    if (this.streams.stdin.writable) this.streams.stdin.write(text);
  }

  signal(signal: NodeJS.Signals): void {
    for (const pid of this.tree()) sendSignal(pid, signal);
  }

  /** Ends it on purpose with a signal that it may handle, and kills it if it still runs after that time. */
  async stop(signal: NodeJS.Signals, ms: number): Promise<'ended' | 'killed'> {
    this.isAskedToEnd = true;
    // A descendant whose parent has ended is no longer in the tree, so the tree is read before.
    this.tree();
    sendSignal(this.pid, signal);
    const isOver = await within(ms, this.ended);
    await this.kill();
    return isOver ? 'ended' : 'killed';
  }

  /** Kills it and all its descendants, also those that left its group. */
  async kill(): Promise<void> {
    this.isAskedToEnd = true;
    if (hasProc) await killTree(() => this.tree());
    else if (!this.hasExited) sendSignal(this.pid, 'SIGKILL');
    await this.ended;
  }

  /** Its process id, unless it has ended, and those of its descendants. */
  private tree(): number[] {
    if (!hasProc) return this.hasExited ? [] : [this.pid];
    return this.descendants.now().filter(isAlive);
  }

  private linesOf(stream: Stream): OutputLines {
    const lines = new OutputLines((line) => {
      this.last.push(line);
      if (this.last.length > LAST_LINES) this.last.shift();
      this.listeners.line(line, stream);
    });
    this.streams[stream].on('data', (chunk: Buffer) => this.take(stream, chunk));
    return lines;
  }

  private take(stream: Stream, chunk: Buffer): void {
    this.outputs += 1;
    this.lines[stream].push(chunk);
  }

  /** Reads the output that is there: at once if nothing else has to happen before, otherwise by the event loop. */
  readOutput(): void | Promise<void> {
    const { readNow, stdin } = this.streams;
    // What waits to be written is written by the event loop.
    if (readNow === undefined || !this.isReadAtOnce || stdin.writableLength > 0) return loopHasRead();
    for (const stream of ['stdout', 'stderr'] as const)
      for (let chunk = readNow(stream); chunk !== undefined; chunk = readNow(stream)) this.take(stream, chunk);
  }

  private hasEnded(how: Exit): Exit {
    for (const lines of Object.values(this.lines)) lines.end();
    const exit = { ...how, lastLines: [...this.last] };
    if (!this.isAskedToEnd) this.listeners.exit(exit);
    return exit;
  }
}

const ignored = (): undefined => undefined;

/** An immediate follows the phase in which Node reads from pipes; a second one makes sure that a whole phase lies between. */
async function loopHasRead(): Promise<void> {
  await eventLoopTurned();
  await eventLoopTurned();
}

/** Resolves when a process runs; rejects if it cannot be started. */
const hasStarted = (process: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    process.once('error', reject);
    process.once('spawn', () => {
      process.off('error', reject);
      process.on('error', ignored);
      resolve();
    });
  });

/** How the process ended, when its output has been read as well. */
async function endOf(process: ChildProcess, streams: StandardStreams): Promise<Exit> {
  const { stdin, stdout, stderr } = streams;
  const closed = [stdout, stderr].map((stream) => new Promise<void>((resolve) => stream.once('close', resolve)));
  const exit = await new Promise<Exit>((resolve) =>
    process.once('exit', (code, signal) => resolve(code === null ? { signal: signal ?? 'unknown' } : { code })),
  );
  await within(OUTPUT_MS, Promise.all(closed));
  for (const stream of [stdin, stdout, stderr]) stream.destroy();
  return exit;
}

/** Whether the promise resolves before the time is over. */
export async function within(ms: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)));
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
