import type { Match } from '../openflow/messages.ts';
import { expiryOf } from './flow-expiry.ts';
import { byPriority, type FlowEntry } from './flow-table.ts';
import { covers, isSameMatch, matches, overlaps } from './matching.ts';
import type { PacketFields } from './packet-fields.ts';

/** The match and the priority of flow entries that a flow_mod is about. */
export interface Meant {
  readonly match: Match;
  readonly priority: number;
}

/** Finds and changes the entries of a flow table. Lists of entries are in the order in which a switch tries them. */
export interface EntryStore {
  /** The entry for a packet: that of the highest priority, and the oldest of these. */
  entryFor(packet: PacketFields): FlowEntry | undefined;
  /** The entry with exactly this match and priority. */
  same(meant: Meant): FlowEntry | undefined;
  /** The entries whose packets all match. */
  coveredBy(match: Match): FlowEntry[];
  /** Whether a packet can match this and an entry of the same priority. */
  hasOverlap(meant: Meant): boolean;
  /** When the next entry expires if no packet arrives; Infinity if none does. */
  nextExpiryMs(): number;
  /** The entries whose time is over. */
  expired(nowMs: number): FlowEntry[];
  insert(entry: FlowEntry): void;
  /** Puts an entry with the same match and priority in the place of another. */
  replace(old: FlowEntry, entry: FlowEntry): void;
  remove(removed: readonly FlowEntry[]): void;
}

/** Looks at all entries: the fastest way in a small table. */
export class EntryScan implements EntryStore {
  constructor(private readonly entries: FlowEntry[]) {}

  entryFor(packet: PacketFields): FlowEntry | undefined {
    let best: FlowEntry | undefined;
    for (const entry of this.entries) {
      if ((best === undefined || entry.priority > best.priority) && matches(entry.match, packet)) best = entry;
    }
    return best;
  }

  same({ match, priority }: Meant): FlowEntry | undefined {
    return this.entries.find((entry) => entry.priority === priority && isSameMatch(entry.match, match));
  }

  coveredBy(match: Match): FlowEntry[] {
    return byPriority(this.entries.filter((entry) => covers(match, entry.match)));
  }

  hasOverlap({ match, priority }: Meant): boolean {
    return this.entries.some((entry) => entry.priority === priority && overlaps(entry.match, match));
  }

  nextExpiryMs(): number {
    let next = Infinity;
    for (const entry of this.entries) next = Math.min(next, expiryOf(entry));
    return next;
  }

  expired(nowMs: number): FlowEntry[] {
    return byPriority(this.entries.filter((entry) => nowMs >= expiryOf(entry)));
  }

  insert(entry: FlowEntry): void {
    this.entries.push(entry);
  }

  replace(old: FlowEntry, entry: FlowEntry): void {
    this.entries[this.entries.indexOf(old)] = entry;
  }

  remove(removed: readonly FlowEntry[]): void {
    removeAll(this.entries, removed);
  }
}

/** Removes entries from a list in one pass. */
export function removeAll(entries: FlowEntry[], removed: readonly FlowEntry[]): void {
  if (removed.length === 0) return;
  const gone = new Set(removed);
  let count = 0;
  for (const entry of entries) if (!gone.has(entry)) entries[count++] = entry;
  entries.length = count;
}
