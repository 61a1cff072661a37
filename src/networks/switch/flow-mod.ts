import type { Action, FlowMod, Match, Port } from '../openflow/messages.ts';
import type { ErrorCodes } from '../openflow/names.ts';
import { keepEntries, type FlowEntry, type FlowTable, type RemovedEntry } from './flow-table.ts';
import { covers, isExact, isSameMatch, normalMatch, overlaps } from './matching.ts';

/** What a flow_mod did: entries that it deleted, or the error to answer with. */
export type FlowModResult =
  | { readonly removed: readonly RemovedEntry[] }
  | { readonly error: 'flow_mod_failed'; readonly code: ErrorCodes['flow_mod_failed'] }
  | { readonly error: 'bad_action'; readonly code: ErrorCodes['bad_action'] };

const HIGHEST_PRIORITY = 0xffff;

/** The entries that a flow_mod means. */
interface Meant {
  readonly match: Match;
  readonly priority: number;
}

/** Changes the table as the message says, or not at all. */
export function applyFlowMod(table: FlowTable, message: FlowMod, nowMs: number): FlowModResult {
  // This switch has no table for emergencies, so there is never room in it.
  if (message.flags.includes('emerg')) return tableFull;
  const code = refusedAction(message.actions);
  if (code !== undefined) return { error: 'bad_action', code };
  const meant = {
    match: normalMatch(message.match),
    priority: isExact(message.match) ? HIGHEST_PRIORITY : message.priority,
  };
  switch (message.command) {
    case 'add':
      return add(table, message, meant, nowMs);
    case 'modify':
      return modify(table, message, meant, nowMs, ({ match }) => covers(meant.match, match));
    case 'modify_strict':
      return modify(table, message, meant, nowMs, (entry) => isMeant(entry, meant));
    case 'delete':
      return remove(table, message, ({ match }) => covers(meant.match, match));
    case 'delete_strict':
      return remove(table, message, (entry) => isMeant(entry, meant));
  }
}

const tableFull: FlowModResult = { error: 'flow_mod_failed', code: 'all_tables_full' };

/** The error about actions that an entry cannot have here. */
function refusedAction(actions: readonly Action[]): ErrorCodes['bad_action'] | undefined {
  for (const action of actions) {
    if (action.type === 'vendor') return 'bad_vendor';
    // A packet goes through the table once. `normal` is for switches that also work without OpenFlow.
    if (action.type === 'output' && (action.port === 'table' || action.port === 'normal')) return 'bad_out_port';
  }
  return undefined;
}

const isMeant = (entry: FlowEntry, { match, priority }: Meant): boolean =>
  entry.priority === priority && isSameMatch(entry.match, match);

function add(table: FlowTable, message: FlowMod, meant: Meant, nowMs: number): FlowModResult {
  const { entries } = table;
  const same = entries.findIndex((entry) => isMeant(entry, meant));
  if (same !== -1) {
    entries[same] = newEntry(message, meant, nowMs);
    return { removed: [] };
  }
  if (message.flags.includes('check_overlap') && entries.some((entry) => isInConflict(entry, meant))) {
    return { error: 'flow_mod_failed', code: 'overlap' };
  }
  if (entries.length >= table.maxEntries) return tableFull;
  entries.splice(placeFor(entries, meant.priority), 0, newEntry(message, meant, nowMs));
  return { removed: [] };
}

const isInConflict = (entry: FlowEntry, { match, priority }: Meant): boolean =>
  entry.priority === priority && overlaps(entry.match, match);

/** After all entries of at least this priority, by binary search. */
function placeFor(entries: readonly FlowEntry[], priority: number): number {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((entries[middle] as FlowEntry).priority >= priority) from = middle + 1;
    else to = middle;
  }
  return from;
}

const newEntry = (message: FlowMod, { match, priority }: Meant, nowMs: number): FlowEntry => ({
  match,
  priority,
  idleTimeout: message.idleTimeout,
  hardTimeout: message.hardTimeout,
  flags: message.flags,
  createdAtMs: nowMs,
  cookie: message.cookie,
  actions: message.actions,
  modifiedAtMs: nowMs,
  usedAtMs: nowMs,
  packetCount: 0,
  byteCount: 0,
});

/** Counters, timeouts and flags stay; without an entry to modify, one is added. */
function modify(
  table: FlowTable,
  message: FlowMod,
  meant: Meant,
  nowMs: number,
  isModified: (entry: FlowEntry) => boolean,
): FlowModResult {
  const modified = table.entries.filter(isModified);
  if (modified.length === 0) return add(table, message, meant, nowMs);
  for (const entry of modified) {
    entry.actions = message.actions;
    entry.cookie = message.cookie;
    entry.modifiedAtMs = nowMs;
  }
  return { removed: [] };
}

function remove(table: FlowTable, message: FlowMod, isDeleted: (entry: FlowEntry) => boolean): FlowModResult {
  const removed: RemovedEntry[] = [];
  keepEntries(table, (entry) => {
    if (!isDeleted(entry) || !sendsTo(entry.actions, message.outPort)) return true;
    removed.push({ entry, reason: 'delete' });
    return false;
  });
  return { removed };
}

/** Whether one of the actions sends packets to this port. `none` stands for every list of actions. */
export const sendsTo = (actions: readonly Action[], port: Port): boolean =>
  port === 'none' ||
  actions.some((action) => (action.type === 'output' || action.type === 'enqueue') && action.port === port);
