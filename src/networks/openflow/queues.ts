import type { Layouts } from './layout.ts';
import type { PacketQueue, QueueProperty } from './messages.ts';
import type { Reader } from './reader.ts';
import { RefusedMessage } from './refused.ts';
import type { Writer } from './writer.ts';

/** The headers of a queue and of a property, and a property with a rate. */
const QUEUE = 8;
const PROPERTY = 8;
const MIN_RATE = 16;

/** The number of each property. */
const NONE = 0;
const RATE = 1;

function readQueue(reader: Reader): PacketQueue {
  const start = reader.at;
  if (reader.left < QUEUE) throw tooShort('a queue', reader.left);
  const queueId = reader.u32();
  const end = start + lengthAt(reader, start, QUEUE, 'a queue', reader.end);
  reader.skip(2);
  const properties: QueueProperty[] = [];
  while (reader.at < end) properties.push(readProperty(reader, end));
  return { queueId, properties };
}

function readProperty(reader: Reader, endOfQueue: number): QueueProperty {
  const start = reader.at;
  if (endOfQueue - start < PROPERTY) throw tooShort('a property of a queue', endOfQueue - start);
  const number = reader.u16();
  const length = lengthAt(reader, start, PROPERTY, 'a property of a queue', endOfQueue);
  reader.skip(4);
  switch (number) {
    case NONE:
      if (length !== PROPERTY) throw wrongLength('the property none', length);
      return { property: 'none' };
    case RATE:
      if (length !== MIN_RATE) throw wrongLength('the property min_rate', length);
      return { property: 'min_rate', rate: reader.u16Padded(6) };
    default:
      return { property: number, data: reader.hex(length - PROPERTY) };
  }
}

/** The length of a part that starts there, which has to end within what it is a part of. */
function lengthAt(reader: Reader, start: number, least: number, what: string, end: number): number {
  const length = reader.u16();
  if (length < least || start + length > end) throw wrongLength(what, length);
  return length;
}

const tooShort = (what: string, left: number): RefusedMessage =>
  RefusedMessage.as('bad_request', 'bad_len', `${left} bytes are too short for ${what}`);

const wrongLength = (what: string, length: number): RefusedMessage =>
  RefusedMessage.as('bad_request', 'bad_len', `the length of ${what} is ${length}`);

function writeQueue(writer: Writer, { queueId, properties }: PacketQueue): void {
  const start = writer.at;
  writer.u32('queueId', queueId);
  writer.zeros(4);
  for (const property of properties) writeProperty(writer, property);
  writer.patch16(start + 4, writer.at - start);
}

function writeProperty(writer: Writer, property: QueueProperty): void {
  const start = writer.at;
  switch (property.property) {
    case 'none':
      writer.u16('property', NONE);
      writer.zeros(6);
      break;
    case 'min_rate':
      writer.u16('property', RATE);
      writer.zeros(6);
      writer.u16('rate', property.rate);
      writer.zeros(6);
      break;
    default:
      if (property.property <= RATE) throw writer.isNot('property', property.property, 'a number above 1');
      writer.u16('property', property.property);
      writer.zeros(6);
      writer.hex('data', property.data);
  }
  writer.patch16(start + 2, writer.at - start);
}

/** Messages about the queues of a port. */
export const queueMessages: Layouts<'queue_get_config_request' | 'queue_get_config_reply'> = {
  queue_get_config_request: {
    fixed: 12,
    isOpen: false,
    read(reader, type, xid) {
      const port = reader.port();
      reader.skip(2);
      return { type, xid, port };
    },
    write(writer, { port }) {
      writer.port('port', port);
      writer.zeros(2);
    },
  },
  queue_get_config_reply: {
    fixed: 16,
    isOpen: true,
    read(reader, type, xid) {
      const port = reader.port();
      reader.skip(6);
      const queues: PacketQueue[] = [];
      while (reader.left > 0) queues.push(readQueue(reader));
      return { type, xid, port, queues };
    },
    write(writer, { port, queues }) {
      writer.port('port', port);
      writer.zeros(6);
      for (const queue of queues) writeQueue(writer, queue);
    },
  },
};
