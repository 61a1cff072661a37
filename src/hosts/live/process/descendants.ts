import { NewIds } from './new-ids.ts';
import { allProcesses, environmentOf, newestId, startTimeOf, treeOf } from './proc.ts';

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
  private found: readonly number[] = [];

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
   * Those of the last look, unless a process has started since on this machine: cheaper, and less sure. A process that is being started has
   * its id before it is in the tree.
   */
  lately(): readonly number[] {
    const newest = newestId();
    return newest === this.newest && newest !== 0 ? this.found : this.now();
  }

  /** Those that live now, in the order of their ids. */
  now(): readonly number[] {
    this.newest = newestId();
    this.newIds.examine(this.newest, performance.now(), allProcesses, (pid) => this.examine(pid));
    for (const [pid, startTime] of this.known) if (startTimeOf(pid) !== startTime) this.known.delete(pid);
    for (const pid of [...this.known.keys()].flatMap(treeOf)) this.add(pid);
    this.found = [...this.known.keys()].toSorted((one, other) => one - other);
    return this.found;
  }

  private add(pid: number): void {
    if (this.known.has(pid)) return;
    const startTime = startTimeOf(pid);
    // It has ended meanwhile.
    if (startTime === '') return;
    this.known.set(pid, startTime);
    this.onFound(pid, startTime);
  }

  private examine(pid: number): boolean {
    const environment = environmentOf(pid);
    if (environment.includes(this.mark)) this.add(pid);
    // While a process starts another program, its environment is empty.
    return environment.length > 1;
  }
}
