import { flowMessages } from './flows.ts';
import { HEADER, type Layout, type Layouts } from './layout.ts';
import type { ErrorMessage, Message } from './messages.ts';
import { messageTypes, type ErrorCodes, type ErrorType, type MessageType } from './names.ts';
import { packetMessages } from './packets.ts';
import { portMessages } from './ports.ts';
import type { Protocol, Received } from './protocol.ts';
import { queueMessages } from './queues.ts';
import { Reader } from './reader.ts';
import { errorAbout, RefusedMessage } from './refused.ts';
import { sessionMessages } from './session-messages.ts';
import { statsReply } from './stats-reply.ts';
import { statsRequest } from './stats-request.ts';
import { CannotEncode } from '../bytes/byte-writer.ts';
import { Writer } from './writer.ts';

const VERSION = 1;

const layouts: Layouts<MessageType> = {
  ...sessionMessages,
  ...portMessages,
  ...packetMessages,
  ...flowMessages,
  ...queueMessages,
  stats_request: statsRequest,
  stats_reply: statsReply,
};

const byNumber = messageTypes.map((type): Layout<Message> => layouts[type]);
const numbers = new Map<string, number>(messageTypes.map((type, number) => [type, number]));

const HELLO = 0;
const ERROR = 1;

/** One for all messages: encoding is synchronous and copies the result. */
const writer = new Writer();

function encode(message: Message): Buffer {
  const number = numbers.get(message.type);
  if (number === undefined)
    throw new CannotEncode(`OpenFlow 1.0 has no message of type ${JSON.stringify(message.type)}.`);
  writer.begin(message.type);
  writer.u8('version', VERSION);
  writer.u8('type', number);
  writer.zeros(2);
  writer.u32('xid', message.xid);
  (byNumber[number] as Layout<Message>).write(writer, message);
  writer.patch16(2, writer.at);
  return writer.result();
}

function decode(given: Uint8Array): Received<Message> {
  const bytes = Buffer.isBuffer(given) ? given : Buffer.from(given.buffer, given.byteOffset, given.length);
  if (bytes.length < HEADER) return broken(bytes, 0, `a message of ${bytes.length} bytes is shorter than its header`);
  const reader = new Reader(bytes, 0, bytes.length);
  const [version, type, length, xid] = [reader.u8(), reader.u8(), reader.u16(), reader.u32()];
  if (length < HEADER) return broken(bytes, xid, `the length of a message is ${length}, less than its header`);
  try {
    if (length !== bytes.length) {
      throw RefusedMessage.as(
        'bad_request',
        'bad_len',
        `the length of a message is ${length}, and it has ${bytes.length} bytes`,
      );
    }
    if (version !== VERSION && type !== HELLO) {
      throw RefusedMessage.as(
        'bad_request',
        'bad_version',
        `the version is ${version}, and this channel speaks ${VERSION}`,
      );
    }
    return { kind: 'message', message: read(reader, version, type, xid), bytes };
  } catch (error) {
    if (error instanceof RefusedMessage) return refused(error, bytes, type, xid);
    throw error;
  }
}

function read(reader: Reader, version: number, number: number, xid: number): Message {
  const layout = byNumber[number];
  const type = messageTypes[number];
  if (layout === undefined || type === undefined) {
    throw RefusedMessage.as('bad_request', 'bad_type', `there is no message of type ${number}`);
  }
  const length = reader.end;
  if (length < layout.fixed || (!layout.isOpen && length > layout.fixed)) {
    throw RefusedMessage.as('bad_request', 'bad_len', `the length of ${type} is ${length}`);
  }
  // Both sides speak the lower of the versions in their hellos.
  if (number === HELLO && version < VERSION) {
    throw RefusedMessage.as(
      'hello_failed',
      'incompatible',
      `This side speaks OpenFlow 1.0 (version 1), and no version ${version}.`,
    );
  }
  return layout.read(reader, type, xid);
}

function refused(why: RefusedMessage, bytes: Buffer, type: number, xid: number): Received<Message> {
  const isHello = why.type === 'hello_failed';
  const reply = errorAbout(bytes, xid, why.type, why.code);
  return {
    kind: isHello ? 'broken' : 'refused',
    reason: why.message,
    reply: type === ERROR ? undefined : isHello ? { ...reply, data: Buffer.from(why.message).toString('hex') } : reply,
    bytes,
  };
}

/** The start of the next message is unknown. */
const broken = (bytes: Buffer, xid: number, reason: string): Received<Message> => ({
  kind: 'broken',
  reason,
  reply: errorAbout(bytes, xid, 'bad_request', 'bad_len'),
  bytes,
});

/**
 * OpenFlow 1.0: all messages, in both directions. Decoding a message and encoding it again gives the same bytes, except
 * for those that the standard ignores, which become zero: padding, and fields of a match under a wildcard.
 */
export const openflow10: Protocol<Message> = { version: VERSION, encode, decode };

/** The error that a switch or controller answers a message with. */
export const errorReply = <E extends ErrorType>(message: Message, error: E, code: ErrorCodes[E]): ErrorMessage =>
  errorAbout(encode(message), message.xid, error, code);
