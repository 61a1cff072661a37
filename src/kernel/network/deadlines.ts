/**
 * The earliest deadline of each process, as a tournament: every inner node has the earlier of its two children, so the earliest
 * of all is at the root, and a change costs the path to it. Leaves are in the order of processes.
 */
export class Deadlines {
  private constructor(
    /** The root is at 1, the children of `n` are at `2 n` and `2 n + 1`, and the leaves are the second half. */
    private readonly tree: number[],
  ) {}

  static for(processes: number): Deadlines {
    let leaves = 1;
    while (leaves < processes) leaves *= 2;
    return new Deadlines(Array.from({ length: 2 * leaves }, () => Infinity));
  }

  copy(): Deadlines {
    return new Deadlines(this.tree.slice());
  }

  /** The same deadlines, with room for so many processes. */
  withRoomFor(processes: number): Deadlines {
    if (processes <= this.capacity) return this;
    const larger = Deadlines.for(processes);
    for (let at = 0; at < this.capacity; at++) larger.set(at, this.of(at));
    return larger;
  }

  private get capacity(): number {
    return this.tree.length / 2;
  }

  /** The earliest of all; infinity if no process has a deadline. */
  get earliest(): number {
    return this.tree[1] as number;
  }

  of(at: number): number {
    return this.tree[this.capacity + at] as number;
  }

  set(at: number, deadlineMs: number): void {
    const { tree } = this;
    let node = this.capacity + at;
    tree[node] = deadlineMs;
    while (node > 1) {
      node >>= 1;
      const earlier = Math.min(tree[2 * node] as number, tree[2 * node + 1] as number);
      if (tree[node] === earlier) return;
      tree[node] = earlier;
    }
  }

  /** The places of the processes with a deadline up to that time, in order. */
  upTo(horizonMs: number): number[] {
    const places: number[] = [];
    this.collect(1, horizonMs, places);
    return places;
  }

  private collect(node: number, horizonMs: number, into: number[]): void {
    const earliest = this.tree[node] as number;
    if (earliest > horizonMs || earliest === Infinity) return;
    if (node >= this.capacity) {
      into.push(node - this.capacity);
      return;
    }
    this.collect(2 * node, horizonMs, into);
    this.collect(2 * node + 1, horizonMs, into);
  }
}
