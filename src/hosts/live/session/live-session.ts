import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SessionResource } from '../../../kernel/uncontrolled/session-resources.ts';
import { NoFolder } from '../errors.ts';
import { killTree } from '../process/kill-tree.ts';
import { allProcesses, environmentOf, hasProc, isAlive, nameOfProcess, startTimeOf, treeOf } from '../process/proc.ts';
import { Guard } from './guard.ts';
import { LoopbackRange } from './loopback-range.ts';

/** The variable by which processes of a session are recognized. */
export const MARK = 'CULPRIT_RUN';

/** The folders of sessions begin with this. */
export const FOLDER = 'culprit-live-';

/** The file that has the mark of a session, in its folder. */
export const OWNER = '.culprit-session';

/** The folder in which the folders of sessions are kept after their end; without it they are removed. */
export const KEEP = 'CULPRIT_KEEP';

/** What the live processes of one session share: a range of addresses, a folder, a mark, and the guard that ends them. */
export class LiveSession implements SessionResource {
  private readonly mark = `${nameOfProcess(process.pid)}-${randomBytes(6).toString('hex')}`;
  private readonly keptIn = process.env[KEEP];
  readonly folder: string;
  private readonly guard: Guard;
  private readonly watched: { readonly pid: number; readonly startTime: string }[] = [];
  private readonly joined = new Map<string, number>();
  private claimed: Promise<LoopbackRange> | undefined;

  /** Opens the session: for `Io.shared`. */
  static readonly open = (): LiveSession => new LiveSession();

  private constructor() {
    this.folder = join(this.keptIn ?? tmpdir(), `${FOLDER}${randomBytes(8).toString('hex')}`);
    const isKept = this.keptIn !== undefined;
    // The guard is there before the folder, so that culprit may end at any moment.
    this.guard = Guard.start(this.mark, isKept ? undefined : this.folder);
    try {
      makeFolder(this.folder);
      // A folder that is kept is no leftover.
      if (!isKept) writeFileSync(join(this.folder, OWNER), this.mark);
    } catch (error) {
      this.guard.end();
      throw new NoFolder(dirname(this.folder), error);
    }
  }

  /** The addresses of this session; claimed when the first process needs one. */
  range(): Promise<LoopbackRange> {
    return (this.claimed ??= LoopbackRange.claim());
  }

  /** The number of a process that is not declared: it comes after those that are. */
  numberOfJoined(name: string, declared: number): number {
    const number = this.joined.get(name) ?? declared + this.joined.size + 1;
    this.joined.set(name, number);
    return number;
  }

  /** The mark of one life of a process, for its environment. */
  markOf(number: number, life: number): string {
    return `${this.mark}.${number}.${life}`;
  }

  /** Says that a process is about to start, and later that it has started, or could not. */
  expect(what: 'starting' | 'started'): void {
    this.guard.expect(what);
  }

  /** Makes sure that a process does not outlive culprit. */
  watch(pid: number, startTime: string): void {
    this.watched.push({ pid, startTime });
    this.guard.watch(pid, startTime);
  }

  /** Programs have been closed before. A process that they started without the knowledge of culprit may be left. */
  async close(): Promise<void> {
    const range = await this.claimed?.catch(() => undefined);
    if (hasProc) await killTree(() => this.living());
    await range?.release();
    if (this.keptIn === undefined) rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
    this.guard.end();
  }

  /** The processes of this session that live now. */
  private living(): number[] {
    const known = this.watched.filter(({ pid, startTime }) => startTimeOf(pid) === startTime).map(({ pid }) => pid);
    const hasMark = (entry: string): boolean => entry.startsWith(`${MARK}=${this.mark}.`);
    const marked = allProcesses().filter((pid) => environmentOf(pid).some(hasMark));
    return [...new Set([...known, ...marked].flatMap(treeOf))].filter(isAlive);
  }
}

/** Only this user may look into the folder: the folder around it may belong to everybody. */
function makeFolder(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(folder, { mode: 0o700 });
}
