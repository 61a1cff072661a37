import type { Layout } from './layout.ts';
import { MATCH, readMatch, writeMatch } from './match.ts';
import type { StatsRequest } from './messages.ts';
import type { StatsType } from './names.ts';
import type { Reader } from './reader.ts';
import { statsLayout, type StandardHeader, type StatsBody, type Standard } from './stats-header.ts';
import type { Writer } from './writer.ts';

/** The length of the body of a request; undefined if it is open. */
const bodyLengths: Readonly<Record<StatsType, number | undefined>> = {
  desc: 0,
  flow: MATCH + 4,
  aggregate: MATCH + 4,
  table: 0,
  port: 8,
  queue: 8,
  vendor: undefined,
};

function readBody(reader: Reader, { stats, flags }: StandardHeader): StatsBody<Standard<StatsRequest>> {
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
  }
}

function writeBody(writer: Writer, message: Standard<StatsRequest>): void {
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
  }
}

export const statsRequest: Layout<StatsRequest> = statsLayout<StatsRequest>(bodyLengths, readBody, writeBody);
