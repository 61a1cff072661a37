import type { Layout } from './layout.ts';
import { MATCH, readMatch, writeMatch } from './match.ts';
import type { StatsRequest } from './messages.ts';
import type { StatsType } from './names.ts';
import type { Reader } from './reader.ts';
import { STATS_HEADER, readStatsHeader, writeStatsHeader, type StatsHeaderRead } from './stats-header.ts';
import type { Writer } from './writer.ts';

/** The length of the body of a request; undefined if it is open. */
const bodies: Readonly<Record<StatsType, number | undefined>> = {
  desc: 0,
  flow: MATCH + 4,
  aggregate: MATCH + 4,
  table: 0,
  port: 8,
  queue: 8,
  vendor: undefined,
};

export const statsRequest: Layout<StatsRequest> = {
  fixed: STATS_HEADER,
  isOpen: true,
  read: (reader, type, xid) => ({ type, xid, ...readBody(reader, readStatsHeader(reader, type, bodies)) }),
  write(writer, message) {
    writeStatsHeader(writer, message);
    writeBody(writer, message);
  },
};

type Body = StatsRequest extends infer R ? (R extends unknown ? Omit<R, 'type' | 'xid'> : never) : never;

function readBody(reader: Reader, { stats, flags }: StatsHeaderRead): Body {
  switch (stats) {
    case 'desc':
    case 'table':
      return { stats, flags };
    case 'flow':
    case 'aggregate':
      return { stats, flags, match: readMatch(reader), tableId: reader.u8Padded(1), outPort: reader.port() };
    case 'port':
      return { stats, flags, portNo: reader.port() };
    case 'queue':
      return { stats, flags, portNo: reader.portPadded(2), queueId: reader.queueId() };
    case 'vendor':
      return { stats, flags, vendor: reader.u32(), data: reader.hex() };
  }
}

function writeBody(writer: Writer, message: StatsRequest): void {
  switch (message.stats) {
    case 'desc':
    case 'table':
      return;
    case 'flow':
    case 'aggregate':
      writeMatch(writer, message.match);
      writer.u8('tableId', message.tableId);
      writer.zeros(1);
      writer.port('outPort', message.outPort);
      return;
    case 'port':
      writer.port('portNo', message.portNo);
      writer.zeros(6);
      return;
    case 'queue':
      writer.port('portNo', message.portNo);
      writer.zeros(2);
      writer.queueId(message.queueId);
      return;
    case 'vendor':
      writer.u32('vendor', message.vendor);
      writer.hex('data', message.data);
      return;
  }
}
