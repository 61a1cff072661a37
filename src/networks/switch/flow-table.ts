import type { SetBits, Uint64 } from '../bytes/data.ts';
import type { Action, FlowRemoved, Match } from '../openflow/messages.ts';
import type { FlowModFlag, FlowRemovedReason } from '../openflow/names.ts';

/**
 * The flow entries of a switch: plain data, changed in place like the state of a process. Only the functions of this folder add and
 * remove entries, because they keep an index of large tables. Times are arguments.
 */
export interface FlowTable {
  /** The oldest first, so that an entry is added in constant time. One that replaced another has its place. */
  readonly entries: FlowEntry[];
  /** A flow_mod that would add more is refused. */
  readonly maxEntries: number;
  /** Packets that were looked up. */
  lookupCount: number;
  /** Packets for which there was an entry. */
  matchedCount: number;
}

/** An entry of a flow table, with its counters. */
export interface FlowEntry {
  /** In normal form. */
  readonly match: Match;
  /** From 0 to 65,535; an entry without wildcards comes before all. */
  readonly priority: number;
  /** Seconds without a packet after which it is removed; 0 for never. */
  readonly idleTimeout: number;
  /** Seconds after which it is removed in any case; 0 for never. */
  readonly hardTimeout: number;
  /** Those of its flow_mod, such as `send_flow_rem`. */
  readonly flags: SetBits<FlowModFlag>;
  /** When it was added, on the clock that the caller passes. */
  readonly createdAtMs: number;
  /** Any 64 bits of the controller's. */
  cookie: Uint64;
  /** What happens to a packet, in this order; an empty list drops it. */
  actions: readonly Action[];
  /** The hard timeout counts from here. */
  modifiedAtMs: number;
  /** The idle timeout counts from here. */
  usedAtMs: number;
  /** Packets that it matched. */
  packetCount: number;
  /** Their bytes. */
  byteCount: number;
}

/** In the order in which a switch tries entries: the highest priority first, and of equal priorities the oldest. */
export const byPriority = <T extends { readonly priority: number }>(oldestFirst: readonly T[]): T[] =>
  oldestFirst.toSorted((one, other) => other.priority - one.priority);

/** An entry that is no longer in the table. */
export interface RemovedEntry {
  /** The entry with its last counters. */
  readonly entry: FlowEntry;
  /** Which timeout passed, or that a flow_mod deleted it. */
  readonly reason: FlowRemovedReason;
}

/** A flow table without entries. */
export const emptyTable = (maxEntries: number): FlowTable => ({
  entries: [],
  maxEntries,
  lookupCount: 0,
  matchedCount: 0,
});

/** The message about a removed entry, if its flow_mod asked for one. */
export function flowRemoved({ entry, reason }: RemovedEntry, xid: number, nowMs: number): FlowRemoved | undefined {
  if (!entry.flags.includes('send_flow_rem')) return undefined;
  const { match, cookie, priority, idleTimeout, packetCount, byteCount } = entry;
  return {
    type: 'flow_removed',
    xid,
    match,
    cookie,
    priority,
    reason,
    ...durationOf(entry, nowMs),
    idleTimeout,
    packetCount,
    byteCount,
  };
}

/** How long an entry has been in the table. */
export function durationOf({ createdAtMs }: FlowEntry, nowMs: number): { durationSec: number; durationNsec: number } {
  const ms = nowMs - createdAtMs;
  return { durationSec: Math.floor(ms / 1000), durationNsec: Math.floor((ms % 1000) * 1e6) };
}
