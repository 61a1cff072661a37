import type { Arrow } from './arrows.ts';

/**
 * Finds the arrows that are visible in a range of events without a scan: arrows sorted by their start, under a tree
 * that stores the farthest end in each subtree.
 */
export class ArrowIndex {
  private readonly arrows: readonly Arrow[];
  private readonly endingAt = new Map<number, Arrow[]>();
  /** A complete binary tree with its root at 1: the farthest end among the arrows below. */
  private readonly reach: Int32Array;
  private readonly leaves: number;

  constructor(arrows: readonly Arrow[]) {
    this.arrows = arrows.toSorted((a, b) => a.from - b.from || a.to - b.to);
    this.leaves = 2 ** Math.ceil(Math.log2(Math.max(1, arrows.length)));
    this.reach = new Int32Array(2 * this.leaves).fill(-1);
    for (const [at, arrow] of this.arrows.entries()) {
      this.reach[this.leaves + at] = arrow.to;
      const ending = this.endingAt.get(arrow.to);
      if (ending === undefined) this.endingAt.set(arrow.to, [arrow]);
      else ending.push(arrow);
    }
    for (let node = this.leaves - 1; node > 0; node--) {
      this.reach[node] = Math.max(this.reach[2 * node] as number, this.reach[2 * node + 1] as number);
    }
  }

  /** Arrows that begin or end at an event. */
  at(event: number): Arrow[] {
    const beginning = this.arrows.slice(this.firstFrom(event), this.firstFrom(event + 1));
    const ending = this.endingAt.get(event) ?? [];
    return [...beginning, ...ending.filter(({ from }) => from !== event)];
  }

  /** Arrows that begin before `first` and end after `last`; of more than `max`, those that began last. */
  passing(first: number, last: number, max: number): Arrow[] {
    const found: Arrow[] = [];
    this.collect({ node: 1, from: 0, size: this.leaves }, { end: this.firstFrom(first), last, max }, found);
    return found;
  }

  /** The index of the first arrow that begins at this event or later. */
  private firstFrom(event: number): number {
    let [low, high] = [0, this.arrows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.arrows[middle] as Arrow).from < event) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Adds the arrows of a subtree, the last first, until the limit is reached. */
  private collect({ node, from, size }: Part, wanted: Wanted, into: Arrow[]): void {
    const { end, last, max } = wanted;
    if (from >= end || (this.reach[node] as number) <= last || into.length >= max) return;
    if (size === 1) {
      into.push(this.arrows[from] as Arrow);
      return;
    }
    const half = size / 2;
    this.collect({ node: 2 * node + 1, from: from + half, size: half }, wanted, into);
    this.collect({ node: 2 * node, from, size: half }, wanted, into);
  }
}

/** A node of the tree, and the range of arrows below it. */
interface Part {
  readonly node: number;
  readonly from: number;
  readonly size: number;
}

/** Arrows before the index `end` that end after the event `last`. */
interface Wanted {
  readonly end: number;
  readonly last: number;
  readonly max: number;
}
