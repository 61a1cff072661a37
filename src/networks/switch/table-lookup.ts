import { entriesOf } from './entry-index.ts';
import { reasonToExpire } from './flow-expiry.ts';
import type { FlowEntry, FlowTable, RemovedEntry } from './flow-table.ts';
import type { PacketFields } from './packet-fields.ts';

/** The entry of the highest priority that is for this packet, and the oldest of these. */
export const entryFor = (table: FlowTable, packet: PacketFields): FlowEntry | undefined =>
  entriesOf(table).entryFor(packet);

/** Looks a packet up, and counts it. Time never runs backwards. */
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
  const entries = entriesOf(table);
  const expired = entries.expired(nowMs);
  if (expired.length > 0) entries.remove(expired);
  return expired.map((entry) => ({ entry, reason: reasonToExpire(entry, nowMs) }));
}

/** When the next entry expires if no packet arrives; Infinity if none does. */
export const nextExpiryMs = (table: FlowTable): number => entriesOf(table).nextExpiryMs();
