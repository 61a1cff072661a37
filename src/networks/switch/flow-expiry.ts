import type { FlowRemovedReason } from '../openflow/names.ts';
import type { FlowEntry } from './flow-table.ts';

/** When an entry expires if no packet arrives; Infinity if it does not. */
export const expiryOf = (entry: FlowEntry): number => Math.min(hardExpiryOf(entry), idleExpiryOf(entry));

/** Why an entry expires, whose time is over. */
export const reasonToExpire = (entry: FlowEntry, nowMs: number): FlowRemovedReason =>
  nowMs >= hardExpiryOf(entry) ? 'hard_timeout' : 'idle_timeout';

/** A timeout of 0 means that there is none. */
const hardExpiryOf = ({ hardTimeout, modifiedAtMs }: FlowEntry): number =>
  hardTimeout === 0 ? Infinity : modifiedAtMs + hardTimeout * 1000;
const idleExpiryOf = ({ idleTimeout, usedAtMs }: FlowEntry): number =>
  idleTimeout === 0 ? Infinity : usedAtMs + idleTimeout * 1000;

interface Deadline {
  /** The expiry of the entry when this was added. */
  readonly atMs: number;
  readonly entry: FlowEntry;
}

/**
 * The entries that can expire, as a binary heap. Packets and modifications put an expiry off and are not reported: an entry whose
 * turn comes too early gets a later one.
 */
export class ExpiryQueue {
  private readonly heap: Deadline[] = [];

  /** `isThere`: whether the entry is still in the table. */
  constructor(private readonly isThere: (entry: FlowEntry) => boolean) {}

  add(entry: FlowEntry): void {
    const atMs = expiryOf(entry);
    if (atMs < Infinity) this.push({ atMs, entry });
  }

  /** When the next entry expires. */
  nextMs(): number {
    for (;;) {
      const first = this.heap[0];
      if (first === undefined) return Infinity;
      if (this.isThere(first.entry) && expiryOf(first.entry) === first.atMs) return first.atMs;
      this.takeFirst();
      if (this.isThere(first.entry)) this.add(first.entry);
    }
  }

  /** The entries whose time is over, which the caller removes from the table. */
  takeExpired(nowMs: number): FlowEntry[] {
    const expired: FlowEntry[] = [];
    while (this.nextMs() <= nowMs) expired.push(this.takeFirst().entry);
    return expired;
  }

  private push(deadline: Deadline): void {
    const { heap } = this;
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >>> 1;
      if ((heap[above] as Deadline).atMs <= deadline.atMs) break;
      heap[at] = heap[above] as Deadline;
      at = above;
    }
    heap[at] = deadline;
  }

  private takeFirst(): Deadline {
    const { heap } = this;
    const [first, last] = [heap[0] as Deadline, heap.pop() as Deadline];
    if (heap.length > 0) this.sink(last);
    return first;
  }

  /** Puts a deadline at the top, and moves it down to its place. */
  private sink(deadline: Deadline): void {
    const { heap } = this;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [one, other] = [heap[left], heap[left + 1]];
      if (one === undefined) break;
      const below = other !== undefined && other.atMs < one.atMs ? left + 1 : left;
      if ((heap[below] as Deadline).atMs >= deadline.atMs) break;
      heap[at] = heap[below] as Deadline;
      at = below;
    }
    heap[at] = deadline;
  }
}
