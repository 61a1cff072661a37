import { readActions, writeActions } from './actions.ts';
import type { Layout } from './layout.ts';
import { MATCH, readMatch, writeMatch } from './match.ts';
import type { Description, FlowStats, StatsReply } from './messages.ts';
import type { StatsType } from './names.ts';
import { PORT_STATS, QUEUE_STATS, TABLE_STATS, counters } from './counters.ts';
import type { Reader } from './reader.ts';
import { RefusedMessage } from './refused.ts';
import { statsLayout, type StandardHeader, type StatsBody, type Standard } from './stats-header.ts';
import type { Writer } from './writer.ts';

/** The lengths of texts that describe a switch. */
const TEXT = 256;
const SERIAL = 32;
/** The fixed part of a flow's statistics. */
const FLOW_STATS = 48 + MATCH;

/** The length of the body of a reply; undefined if it is open. */
const bodyLengths: Readonly<Record<StatsType, number | undefined>> = {
  desc: 4 * TEXT + SERIAL,
  flow: undefined,
  aggregate: 24,
  table: undefined,
  port: undefined,
  queue: undefined,
  vendor: undefined,
};

function readBody(reader: Reader, { stats, flags }: StandardHeader): StatsBody<Standard<StatsReply>> {
  switch (stats) {
    case 'desc':
      return { stats, flags, desc: readDescription(reader) };
    case 'flow':
      return { stats, flags, flows: readFlows(reader) };
    case 'aggregate':
      return { stats, flags, packetCount: reader.u64(), byteCount: reader.u64(), flowCount: reader.u32() };
    case 'table':
      return { stats, flags, tables: reader.list(TABLE_STATS, 'tables', counters.readTable) };
    case 'port':
      return { stats, flags, ports: reader.list(PORT_STATS, 'ports', counters.readPort) };
    case 'queue':
      return { stats, flags, queues: reader.list(QUEUE_STATS, 'queues', counters.readQueue) };
  }
}

function writeBody(writer: Writer, message: Standard<StatsReply>): void {
  switch (message.stats) {
    case 'desc':
      writeDescription(writer, message.desc);
      return;
    case 'flow':
      for (const flow of message.flows) writeFlow(writer, flow);
      return;
    case 'aggregate':
      writer.u64('packetCount', message.packetCount);
      writer.u64('byteCount', message.byteCount);
      writer.u32('flowCount', message.flowCount);
      writer.zeros(4);
      return;
    case 'table':
      for (const table of message.tables) counters.writeTable(writer, table);
      return;
    case 'port':
      for (const port of message.ports) counters.writePort(writer, port);
      return;
    case 'queue':
      for (const queue of message.queues) counters.writeQueue(writer, queue);
      return;
  }
}

export const statsReply: Layout<StatsReply> = statsLayout<StatsReply>(bodyLengths, readBody, writeBody);

const readDescription = (reader: Reader): Description => ({
  mfrDesc: reader.text(TEXT),
  hwDesc: reader.text(TEXT),
  swDesc: reader.text(TEXT),
  serialNum: reader.text(SERIAL),
  dpDesc: reader.text(TEXT),
});

function writeDescription(writer: Writer, desc: Description): void {
  writer.text('mfrDesc', desc.mfrDesc, TEXT);
  writer.text('hwDesc', desc.hwDesc, TEXT);
  writer.text('swDesc', desc.swDesc, TEXT);
  writer.text('serialNum', desc.serialNum, SERIAL);
  writer.text('dpDesc', desc.dpDesc, TEXT);
}

function readFlows(reader: Reader): FlowStats[] {
  const flows: FlowStats[] = [];
  while (reader.left > 0) flows.push(readFlow(reader));
  return flows;
}

function readFlow(reader: Reader): FlowStats {
  const start = reader.at;
  const left = reader.left;
  const length = left < FLOW_STATS ? left : reader.u16();
  if (length < FLOW_STATS || length > left) {
    throw RefusedMessage.as('bad_request', 'bad_len', `the length of a flow is ${length}, and ${left} bytes are left`);
  }
  return {
    tableId: reader.u8Padded(1),
    match: readMatch(reader),
    durationSec: reader.u32(),
    durationNsec: reader.u32(),
    priority: reader.u16(),
    idleTimeout: reader.u16(),
    hardTimeout: reader.u16Padded(6),
    cookie: reader.u64(),
    packetCount: reader.u64(),
    byteCount: reader.u64(),
    actions: readActions(reader, start + length),
  };
}

function writeFlow(writer: Writer, flow: FlowStats): void {
  const start = writer.at;
  writer.zeros(2);
  writer.u8('tableId', flow.tableId);
  writer.zeros(1);
  writeMatch(writer, flow.match);
  writer.u32('durationSec', flow.durationSec);
  writer.u32('durationNsec', flow.durationNsec);
  writer.u16('priority', flow.priority);
  writer.u16('idleTimeout', flow.idleTimeout);
  writer.u16('hardTimeout', flow.hardTimeout);
  writer.zeros(6);
  writer.u64('cookie', flow.cookie);
  writer.u64('packetCount', flow.packetCount);
  writer.u64('byteCount', flow.byteCount);
  writeActions(writer, flow.actions);
  writer.patch16(start, writer.at - start);
}
