import { NONE, type Links } from './links.ts';

/** Memory for checkpoint clocks, in numbers per event. More checkpoints make searches shorter. */
const CLOCK_WORDS_PER_EVENT = 8;

/**
 * Vector clocks on demand. The clock of an event has, for each process, the index of its latest event at or before that
 * event. A backward search finds it, the latest event first. Clocks are stored at checkpoints, where such a search
 * ends: with k processes, at every (k / 8)th event of each. So memory is linear in the number of events for any k, and
 * a search visits at most k * k / 8 events.
 */
export class Clocks {
  private readonly kept: Int32Array;
  /** By event: the offset of its clock in `kept`; NONE without a checkpoint. */
  private readonly checkpoint: Int32Array;
  // The working memory of a search, kept because allocating it would cost more than a short search.
  private readonly frontier = new MaxHeap();
  private readonly latest: Int32Array;
  /** By process: events up to this one are covered by a visited checkpoint and need no visit. */
  private readonly covered: Int32Array;

  constructor(private readonly links: Links) {
    this.latest = new Int32Array(links.chains);
    this.covered = new Int32Array(links.chains);
    this.checkpoint = new Int32Array(links.length).fill(NONE);
    const spacing = Math.max(1, Math.ceil(links.chains / CLOCK_WORDS_PER_EVENT));
    this.kept = new Int32Array(Math.floor(links.length / spacing) * links.chains);
    this.placeCheckpoints(spacing);
  }

  /** Whether an event `a` of a process is `b` or happened before it. */
  isAtOrBefore(a: number, b: number): boolean {
    const chain = this.links.chain[a] as number;
    this.search(b, a, chain);
    return (this.latest[chain] as number) >= a;
  }

  private placeCheckpoints(spacing: number): void {
    const { chain, chains, length } = this.links;
    const seen = new Int32Array(chains);
    let end = 0;
    for (let at = 0; at < length; at++) {
      const own = chain[at] as number;
      if (own === NONE) continue;
      const nth = (seen[own] as number) + 1;
      seen[own] = nth;
      if (nth % spacing !== 0) continue;
      this.search(at, 0, NONE);
      this.kept.set(this.latest, end);
      this.checkpoint[at] = end;
      end += chains;
    }
  }

  /**
   * Fills `latest` with the clock of `b`, limited to events from `floor` on. Stops early once an event of the process
   * `wanted` is among them.
   */
  private search(b: number, floor: number, wanted: number): void {
    const { latest, frontier } = this;
    latest.fill(NONE);
    this.covered.fill(NONE);
    frontier.clear();
    frontier.add(b);
    let visited = NONE;
    for (let at = frontier.take(); at !== undefined && at >= floor; at = frontier.take()) {
      // An event that is both cause and predecessor was added twice, and is taken twice in a row.
      if (at !== visited) this.visit(at);
      visited = at;
      if (wanted !== NONE && (latest[wanted] as number) >= floor) return;
    }
  }

  private visit(at: number): void {
    const { links, latest, frontier } = this;
    const chain = links.chain[at] as number;
    if (chain !== NONE) {
      if (at <= (this.covered[chain] as number)) return;
      if (at > (latest[chain] as number)) latest[chain] = at;
      if (this.checkpoint[at] !== NONE) {
        this.cover(this.checkpoint[at] as number);
        return;
      }
      frontier.add(links.previous[at] as number);
    }
    frontier.add(links.cause[at] as number);
  }

  /** Merges a stored clock. */
  private cover(from: number): void {
    const { latest, covered, kept } = this;
    for (let chain = 0; chain < latest.length; chain++) {
      const at = kept[from + chain] as number;
      if (at > (covered[chain] as number)) covered[chain] = at;
      if (at > (latest[chain] as number)) latest[chain] = at;
    }
  }
}

/** Event indices, the largest first: a binary heap in one array. */
class MaxHeap {
  private readonly heap: number[] = [];

  add(index: number): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(index);
    while (at > 0) {
      const up = (at - 1) >> 1;
      const above = heap[up] as number;
      if (above >= index) break;
      heap[at] = above;
      at = up;
    }
    heap[at] = index;
  }

  /** Removes and returns the largest; undefined if the heap is empty. */
  take(): number | undefined {
    const { heap } = this;
    const largest = heap[0];
    const moved = heap.pop();
    if (moved !== undefined && heap.length > 0) this.sink(moved);
    return largest;
  }

  clear(): void {
    this.heap.length = 0;
  }

  private sink(index: number): void {
    const { heap } = this;
    const { length } = heap;
    let at = 0;
    for (let down = 1; down < length; down = 2 * at + 1) {
      if (down + 1 < length && (heap[down + 1] as number) > (heap[down] as number)) down += 1;
      if ((heap[down] as number) <= index) break;
      heap[at] = heap[down] as number;
      at = down;
    }
    heap[at] = index;
  }
}
