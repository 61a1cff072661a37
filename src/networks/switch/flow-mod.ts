import type { Action, FlowMod, Port } from '../openflow/messages.ts';
import type { ErrorCodes } from '../openflow/names.ts';
import { entriesOf } from './entry-index.ts';
import type { Meant } from './entry-scan.ts';
import type { FlowEntry, FlowTable, RemovedEntry } from './flow-table.ts';
import { isExact, normalMatch } from './matching.ts';

/** What a flow_mod did: entries that it deleted, or the error to answer with. */
export type FlowModResult =
  | { readonly removed: readonly RemovedEntry[] }
  | { readonly error: 'flow_mod_failed'; readonly code: ErrorCodes['flow_mod_failed'] }
  | { readonly error: 'bad_action'; readonly code: ErrorCodes['bad_action'] };

const HIGHEST_PRIORITY = 0xffff;

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
    case 'modify_strict':
      return modify(table, message, meant, nowMs);
    case 'delete':
    case 'delete_strict':
      return remove(table, message, meant);
  }
}

/** The entries that a modification or deletion is about. */
function entriesMeant(table: FlowTable, { command }: FlowMod, meant: Meant): FlowEntry[] {
  const entries = entriesOf(table);
  if (command === 'modify' || command === 'delete') return entries.coveredBy(meant.match);
  const same = entries.same(meant);
  return same === undefined ? [] : [same];
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

function add(table: FlowTable, message: FlowMod, meant: Meant, nowMs: number): FlowModResult {
  const entries = entriesOf(table);
  const same = entries.same(meant);
  if (same !== undefined) {
    entries.replace(same, newEntry(message, meant, nowMs));
    return { removed: [] };
  }
  if (message.flags.includes('check_overlap') && entries.hasOverlap(meant)) {
    return { error: 'flow_mod_failed', code: 'overlap' };
  }
  if (table.entries.length >= table.maxEntries) return tableFull;
  entries.insert(newEntry(message, meant, nowMs));
  return { removed: [] };
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
function modify(table: FlowTable, message: FlowMod, meant: Meant, nowMs: number): FlowModResult {
  const modified = entriesMeant(table, message, meant);
  if (modified.length === 0) return add(table, message, meant, nowMs);
  for (const entry of modified) {
    // Every entry has its own list: a state in which several share one takes longer to copy.
    entry.actions = message.actions.map((action) => ({ ...action }));
    entry.cookie = message.cookie;
    entry.modifiedAtMs = nowMs;
  }
  return { removed: [] };
}

function remove(table: FlowTable, message: FlowMod, meant: Meant): FlowModResult {
  const deleted = entriesMeant(table, message, meant).filter(({ actions }) => sendsTo(actions, message.outPort));
  entriesOf(table).remove(deleted);
  return { removed: deleted.map((entry) => ({ entry, reason: 'delete' })) };
}

/** Whether one of the actions sends packets to this port. `none` stands for every list of actions. */
export const sendsTo = (actions: readonly Action[], port: Port): boolean =>
  port === 'none' ||
  actions.some((action) => (action.type === 'output' || action.type === 'enqueue') && action.port === port);
