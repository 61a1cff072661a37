import {
  allProcesses,
  childrenOf,
  environmentOf,
  hasId,
  isProcess,
  newestId,
  startTimeOf,
  threadIdsOf,
} from './proc.ts';

/** So long after it was given, an id may still belong to a process that is being started, which has no environment yet. */
const UNSURE_MS = 1_000;

/** So many ids are looked at one by one; for more, a list of all processes costs less. */
const FEW = 50;

/**
 * A program and all processes that it has started, directly or not. After the end of its parent, a process is a child of another one, so the
 * tree of parents and children is not enough: processes are also recognized by the mark in their environment. The kernel gives ids in
 * order, so that only processes with newer ids need a look each time, and those whose ids were new a moment ago.
 */
export class Descendants {
  /** Start times by id: ids are used again. */
  private readonly known = new Map<number, string>();
  /** The id that the kernel had given last when they were looked for. */
  private newest = 0;
  /** New ids of which it is not known whose they are, and when they were first seen. Most are those of threads. */
  private readonly unsure = new Map<number, number>();
  private listed: readonly number[] = [];
  /** The threads of all of them, as of the last look. */
  threads: readonly string[] = [];

  constructor(
    readonly pid: number,
    private readonly mark: string,
    /** Called for each of them, when it is seen for the first time. */
    private readonly onFound: (pid: number, startTime: string) => void,
  ) {
    this.add(pid);
  }

  /**
   * Those that live now, in the order of their ids; some may have ended since the last look. Without a new id on this machine there is neither
   * another process nor another thread, unless one is being started, which has its id before it is in the tree.
   */
  now(): readonly number[] {
    const before = this.newest;
    this.newest = newestId();
    if (this.newest !== before || this.newest === 0 || this.unsure.size > 0) this.list(before);
    return this.listed;
  }

  private list(before: number): void {
    this.examineNew(before);
    for (const [pid, startTime] of this.known) if (startTimeOf(pid) !== startTime) this.known.delete(pid);
    const threads: string[] = [];
    // A process that is found on the way is looked at as well.
    for (const pid of this.known.keys())
      for (const thread of threadIdsOf(pid)) {
        threads.push(thread);
        for (const child of childrenOf(thread)) this.add(child);
      }
    this.threads = threads;
    this.listed = [...this.known.keys()].toSorted((one, other) => one - other);
  }

  private add(pid: number): void {
    if (this.known.has(pid)) return;
    const startTime = startTimeOf(pid);
    // It has ended meanwhile.
    if (startTime === '') return;
    this.known.set(pid, startTime);
    this.onFound(pid, startTime);
  }

  /** Looks at the processes that started since the last look: at all of them if ids began again, or cannot be known. */
  private examineNew(before: number): void {
    const { newest, unsure } = this;
    const last = Math.max(before, this.pid);
    const hasBegunAgain = newest < last;
    const nowMs = performance.now();
    for (let id = last + 1; id <= newest; id++) unsure.set(id, nowMs);
    if (unsure.size === 0 && !hasBegunAgain) return;
    const isFew = !hasBegunAgain && unsure.size <= FEW;
    const found = isFew ? [...unsure.keys()].filter(hasId) : allProcesses();
    for (const id of found) if (hasBegunAgain || unsure.has(id)) this.examine(id);
    for (const [id, sinceMs] of unsure) if (nowMs - sinceMs > UNSURE_MS) unsure.delete(id);
  }

  private examine(id: number): void {
    const environment = environmentOf(id);
    if (environment.includes(this.mark) && isProcess(id)) this.add(id);
    // While a process starts another program, its environment is empty.
    if (environment.length > 1) this.unsure.delete(id);
  }
}
