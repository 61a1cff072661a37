import type { BitSet, Uint64 } from '../bytes/data.ts';
import type { Action, FlowRemoved, Match } from '../openflow/messages.ts';
import type { FlowModFlag, FlowRemovedReason } from '../openflow/names.ts';
import { matches } from './matching.ts';
import type { PacketFields } from './packet-fields.ts';

/** The flow entries of a switch: plain data, changed in place like the state of a process. Times are arguments. */
export interface FlowTable {
  /** Those with the highest priority first, and the older ones of equal priority. */
  readonly entries: FlowEntry[];
  readonly maxEntries: number;
  lookupCount: number;
  matchedCount: number;
}

export interface FlowEntry {
  /** In normal form. */
  readonly match: Match;
  readonly priority: number;
  readonly idleTimeout: number;
  readonly hardTimeout: number;
  readonly flags: BitSet<FlowModFlag>;
  readonly createdAtMs: number;
  cookie: Uint64;
  actions: readonly Action[];
  /** The hard timeout counts from here. */
  modifiedAtMs: number;
  /** The idle timeout counts from here. */
  usedAtMs: number;
  packetCount: number;
  byteCount: number;
}

/** An entry that is no longer in the table. */
export interface RemovedEntry {
  readonly entry: FlowEntry;
  readonly reason: FlowRemovedReason;
}

export const emptyTable = (maxEntries: number): FlowTable => ({
  entries: [],
  maxEntries,
  lookupCount: 0,
  matchedCount: 0,
});

/** The entry of the highest priority that is for this packet. */
export function entryFor(table: FlowTable, packet: PacketFields): FlowEntry | undefined {
  for (const entry of table.entries) if (matches(entry.match, packet)) return entry;
  return undefined;
}

/** Looks a packet up, and counts it. */
export function lookUp(table: FlowTable, packet: PacketFields, length: number, nowMs: number): FlowEntry | undefined {
  const entry = entryFor(table, packet);
  table.lookupCount++;
  if (entry === undefined) return undefined;
  table.matchedCount++;
  entry.packetCount++;
  entry.byteCount += length;
  entry.usedAtMs = nowMs;
  return entry;
}

/** Removes the entries whose time is over. */
export function removeExpired(table: FlowTable, nowMs: number): RemovedEntry[] {
  const removed: RemovedEntry[] = [];
  keepEntries(table, (entry) => {
    const reason = reasonToExpire(entry, nowMs);
    if (reason !== undefined) removed.push({ entry, reason });
    return reason === undefined;
  });
  return removed;
}

function reasonToExpire(entry: FlowEntry, nowMs: number): FlowRemovedReason | undefined {
  if (nowMs >= hardExpiryOf(entry)) return 'hard_timeout';
  return nowMs >= idleExpiryOf(entry) ? 'idle_timeout' : undefined;
}

/** When the next entry expires if no packet arrives; Infinity if none does. */
export function nextExpiryMs(table: FlowTable): number {
  let next = Infinity;
  for (const entry of table.entries) next = Math.min(next, hardExpiryOf(entry), idleExpiryOf(entry));
  return next;
}

/** A timeout of 0 means that there is none. */
const hardExpiryOf = ({ hardTimeout, modifiedAtMs }: FlowEntry): number =>
  hardTimeout === 0 ? Infinity : modifiedAtMs + hardTimeout * 1000;
const idleExpiryOf = ({ idleTimeout, usedAtMs }: FlowEntry): number =>
  idleTimeout === 0 ? Infinity : usedAtMs + idleTimeout * 1000;

/** Removes the other entries. */
export function keepEntries(table: FlowTable, isKept: (entry: FlowEntry) => boolean): void {
  const { entries } = table;
  let count = 0;
  for (const entry of entries) if (isKept(entry)) entries[count++] = entry;
  entries.length = count;
}

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
