import { MaxHeap } from './max-heap.ts';
import { NONE, type Links } from './links.ts';

/** Checkpoint clocks take at most this many numbers for each event. More of them shorten the searches. */
const CLOCK_WORDS_PER_EVENT = 8;

/**
 * Vector clocks on demand. The clock of an event says, for each process, which of its events is the latest at or
 * before that event. It is found by searching backwards, the latest event first. Clocks are kept at checkpoints, where
 * such a search ends: with k processes at every (k / 8)th event of each. So memory is linear in the events whatever k
 * is, and a search meets at most k * k / 8 events.
 */
export class Clocks {
  private readonly kept: Int32Array;
  /** By event: where its clock begins in `kept`; NONE where it has no checkpoint. */
  private readonly checkpoint: Int32Array;
  // What a search works on; kept because making them again would cost more than a short search.
  private readonly frontier = new MaxHeap();
  private readonly latest: Int32Array;
  /** By process: events up to this one lie behind a checkpoint that was met, and need no visit. */
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
   * Fills `latest` with the clock of `b`, as far as it names events from `floor` on. Ends early when it knows that an
   * event of the process `wanted` is among them.
   */
  private search(b: number, floor: number, wanted: number): void {
    const { latest, frontier } = this;
    latest.fill(NONE);
    this.covered.fill(NONE);
    frontier.clear();
    frontier.add(b);
    let visited = NONE;
    for (let at = frontier.take(); at !== undefined && at >= floor; at = frontier.take()) {
      // An event that is both a cause and a previous one was added twice, and comes twice in a row.
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

  /** Takes over a kept clock. */
  private cover(from: number): void {
    const { latest, covered, kept } = this;
    for (let chain = 0; chain < latest.length; chain++) {
      const at = kept[from + chain] as number;
      if (at > (covered[chain] as number)) covered[chain] = at;
      if (at > (latest[chain] as number)) latest[chain] = at;
    }
  }
}
