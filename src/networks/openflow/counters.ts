import type { PortStats, QueueStats, TableStats } from './messages.ts';
import type { Reader } from './reader.ts';
import type { Writer } from './writer.ts';

/** The lengths of the statistics of a table, a port and a queue, and of the name of a table. */
export const TABLE_STATS = 64;
export const PORT_STATS = 104;
export const QUEUE_STATS = 32;
const TABLE_NAME = 32;

/** Statistics that are lists of counters. */
export const counters = {
  readTable: (reader: Reader): TableStats => ({
    tableId: reader.u8Padded(3),
    name: reader.text(TABLE_NAME),
    wildcards: reader.u32(),
    maxEntries: reader.u32(),
    activeCount: reader.u32(),
    lookupCount: reader.u64(),
    matchedCount: reader.u64(),
  }),

  writeTable(writer: Writer, table: TableStats): void {
    writer.u8('tableId', table.tableId);
    writer.zeros(3);
    writer.text('name', table.name, TABLE_NAME);
    writer.u32('wildcards', table.wildcards);
    writer.u32('maxEntries', table.maxEntries);
    writer.u32('activeCount', table.activeCount);
    writer.u64('lookupCount', table.lookupCount);
    writer.u64('matchedCount', table.matchedCount);
  },

  readPort: (reader: Reader): PortStats => ({
    portNo: reader.portPadded(6),
    rxPackets: reader.u64(),
    txPackets: reader.u64(),
    rxBytes: reader.u64(),
    txBytes: reader.u64(),
    rxDropped: reader.u64(),
    txDropped: reader.u64(),
    rxErrors: reader.u64(),
    txErrors: reader.u64(),
    rxFrameErr: reader.u64(),
    rxOverErr: reader.u64(),
    rxCrcErr: reader.u64(),
    collisions: reader.u64(),
  }),

  writePort(writer: Writer, port: PortStats): void {
    writer.port('portNo', port.portNo);
    writer.zeros(6);
    writer.u64('rxPackets', port.rxPackets);
    writer.u64('txPackets', port.txPackets);
    writer.u64('rxBytes', port.rxBytes);
    writer.u64('txBytes', port.txBytes);
    writer.u64('rxDropped', port.rxDropped);
    writer.u64('txDropped', port.txDropped);
    writer.u64('rxErrors', port.rxErrors);
    writer.u64('txErrors', port.txErrors);
    writer.u64('rxFrameErr', port.rxFrameErr);
    writer.u64('rxOverErr', port.rxOverErr);
    writer.u64('rxCrcErr', port.rxCrcErr);
    writer.u64('collisions', port.collisions);
  },

  readQueue: (reader: Reader): QueueStats => ({
    portNo: reader.portPadded(2),
    queueId: reader.queueId(),
    txBytes: reader.u64(),
    txPackets: reader.u64(),
    txErrors: reader.u64(),
  }),

  writeQueue(writer: Writer, queue: QueueStats): void {
    writer.port('portNo', queue.portNo);
    writer.zeros(2);
    writer.queueId(queue.queueId);
    writer.u64('txBytes', queue.txBytes);
    writer.u64('txPackets', queue.txPackets);
    writer.u64('txErrors', queue.txErrors);
  },
};
