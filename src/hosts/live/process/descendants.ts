import { NewIds } from './new-ids.ts';
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
  private readonly newIds: NewIds;
  private listed: readonly number[] = [];
  /** The threads of all of them, as of the last look. */
  threads: readonly string[] = [];

  constructor(
    readonly pid: number,
    private readonly mark: string,
    /** Called for each of them, when it is seen for the first time. */
    private readonly onFound: (pid: number, startTime: string) => void,
  ) {
    this.newIds = new NewIds(pid);
    this.add(pid);
  }

  /**
   * Those that live now, in the order of their ids; some may have ended since the last look. Without a new id on this machine there is neither
   * another process nor another thread, unless one is being started, which has its id before it is in the tree.
   */
  now(): readonly number[] {
    const before = this.newest;
    this.newest = newestId();
    if (this.newest !== before || this.newest === 0 || !this.newIds.areKnown) this.list();
    return this.listed;
  }

  private list(): void {
    const machine = { all: allProcesses, has: hasId };
    this.newIds.examine(this.newest, performance.now(), machine, (id) => this.examine(id));
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

  private examine(id: number): boolean {
    const environment = environmentOf(id);
    if (environment.includes(this.mark) && isProcess(id)) this.add(id);
    // While a process starts another program, its environment is empty.
    return environment.length > 1;
  }
}
