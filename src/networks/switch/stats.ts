import type { FlowStats, Message, PortStats, StatsReply, StatsRequest } from '../openflow/messages.ts';
import { errorReply } from '../openflow/openflow10.ts';
import { entriesOf } from './entry-index.ts';
import { sendsTo } from './flow-mod.ts';
import { durationOf, type FlowEntry } from './flow-table.ts';
import { normalMatch } from './matching.ts';
import { countersOf, type SwitchPort } from './ports.ts';
import type { SwitchState } from './switch-state.ts';

/** Numbers of tables in requests: this switch has the first one, and none for emergencies. */
const ALL_TABLES = 0xff;
const FIRST_TABLE = 0;

/** All wildcards of the standard. */
const ALL_WILDCARDS = 0x3fffff;

/** The longest reply, without its header. */
const REPLY_MAX = 0xffff - 12;
/** The bytes of a flow entry without its actions, and of the longest action. */
const ENTRY = 88;
const ACTION = 16;

/** A counter that the switch does not have. */
const NOT_COUNTED = 2n ** 64n - 1n;

/** The answers to a request: several if there are many flow entries. */
export function statsReplies(state: SwitchState, request: StatsRequest, nowMs: number): Message[] {
  const header = { type: 'stats_reply', xid: request.xid, flags: [] } as const;
  switch (request.stats) {
    case 'desc':
      return [{ ...header, stats: 'desc', desc: description }];
    case 'flow':
      return flowReplies(header, entriesFor(state, request), nowMs);
    case 'aggregate':
      return [{ ...header, stats: 'aggregate', ...sums(entriesFor(state, request)) }];
    case 'table':
      return [{ ...header, stats: 'table', tables: [tableStats(state)] }];
    case 'port':
      return portReply(state, request, header);
    case 'queue':
      return isPort(state, request.portNo)
        ? [{ ...header, stats: 'queue', queues: [] }]
        : [errorReply(request, 'queue_op_failed', 'bad_port')];
    case 'vendor':
      return [errorReply(request, 'bad_request', 'bad_vendor')];
  }
}

type Header = Pick<StatsReply, 'type' | 'xid' | 'flags'>;

const description = {
  mfrDesc: 'culprit',
  hwDesc: 'none',
  swDesc: 'culprit',
  serialNum: 'none',
  dpDesc: 'none',
};

const entriesFor = (
  { table }: SwitchState,
  { match, tableId, outPort }: Extract<StatsRequest, { stats: 'flow' | 'aggregate' }>,
): FlowEntry[] => {
  if (tableId !== ALL_TABLES && tableId !== FIRST_TABLE) return [];
  const covered = entriesOf(table).coveredBy(normalMatch(match));
  return covered.filter(({ actions }) => sendsTo(actions, outPort));
};

/** At least one. */
function flowReplies(header: Header, entries: readonly FlowEntry[], nowMs: number): Message[] {
  const parts = inParts(entries);
  return parts.map((part, index) => ({
    ...header,
    flags: index + 1 < parts.length ? ['more'] : [],
    stats: 'flow',
    flows: part.map((entry) => flowStats(entry, nowMs)),
  }));
}

/** Each fits into one message. */
function inParts(entries: readonly FlowEntry[]): FlowEntry[][] {
  let part: FlowEntry[] = [];
  const parts = [part];
  let length = 0;
  for (const entry of entries) {
    const added = ENTRY + ACTION * entry.actions.length;
    if (part.length > 0 && length + added > REPLY_MAX) {
      part = [];
      parts.push(part);
      length = 0;
    }
    part.push(entry);
    length += added;
  }
  return parts;
}

const flowStats = (entry: FlowEntry, nowMs: number): FlowStats => ({
  tableId: FIRST_TABLE,
  match: entry.match,
  ...durationOf(entry, nowMs),
  priority: entry.priority,
  idleTimeout: entry.idleTimeout,
  hardTimeout: entry.hardTimeout,
  cookie: entry.cookie,
  packetCount: entry.packetCount,
  byteCount: entry.byteCount,
  actions: entry.actions,
});

const sums = (entries: readonly FlowEntry[]) => ({
  packetCount: entries.reduce((sum, { packetCount }) => sum + packetCount, 0),
  byteCount: entries.reduce((sum, { byteCount }) => sum + byteCount, 0),
  flowCount: entries.length,
});

const tableStats = ({ table }: SwitchState) => ({
  tableId: FIRST_TABLE,
  name: 'table',
  wildcards: ALL_WILDCARDS,
  maxEntries: table.maxEntries,
  activeCount: table.entries.length,
  lookupCount: table.lookupCount,
  matchedCount: table.matchedCount,
});

type PortRequest = Extract<StatsRequest, { stats: 'port' }>;

/** `none` stands for all ports. The standard has no error for a port that is not there. */
function portReply(state: SwitchState, { portNo }: PortRequest, header: Header): Message[] {
  const ports = state.ports.filter(({ desc }) => portNo === 'none' || desc.portNo === portNo);
  return [{ ...header, stats: 'port', ports: ports.map(portStats) }];
}

const portStats = (port: SwitchPort): PortStats => ({
  portNo: port.desc.portNo,
  ...countersOf(port),
  rxErrors: 0,
  txErrors: 0,
  rxFrameErr: NOT_COUNTED,
  rxOverErr: NOT_COUNTED,
  rxCrcErr: NOT_COUNTED,
  collisions: NOT_COUNTED,
});

/** Whether a request for queues names a port of the switch, or all. */
export const isPort = ({ ports }: SwitchState, port: PortRequest['portNo']): boolean =>
  port === 'all' || ports.some(({ desc }) => desc.portNo === port);
