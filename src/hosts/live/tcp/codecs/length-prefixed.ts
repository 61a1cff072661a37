import { isUtf8 } from 'node:buffer';
import { asBytes, asData, isBytesAsData } from '../bytes-as-data.ts';
import { CannotWrite, Unreadable, tooLarge, type FrameCodec, type FrameReader } from '../frame-codec.ts';
import { BadTcpOptions } from '../bad-tcp-options.ts';
import { jsonFrom, jsonIn } from './json-value.ts';

/** How the length before each frame is written. */
export interface LengthPrefix {
  /** How many bytes the length has. */
  readonly bytes: 1 | 2 | 4 | 8;
  /** The order of these bytes; the most significant first, if left out. */
  readonly endian?: 'big' | 'little';
  /** Whether the length counts its own bytes. */
  readonly includesHeader?: boolean;
  /** Whether frames are values of JSON; otherwise they are text, or base64 if they are no UTF-8. */
  readonly json?: boolean;
}

/** Frames that begin with their length. */
export function lengthPrefixed(prefix: LengthPrefix): FrameCodec {
  checkPrefix(prefix);
  const { bytes, json = false } = prefix;
  return {
    name: 'lengthPrefixed()',
    open: ({ frameBytes }) => {
      const reader = prefixReader(prefix, frameBytes);
      return { client: reader, server: reader };
    },
    bytesOf(message) {
      const payload = json ? Buffer.from(jsonIn(message)) : payloadOf(message);
      const frame = Buffer.alloc(bytes + payload.length);
      writeLength(frame, payload.length + counted(prefix), prefix);
      frame.set(payload, bytes);
      return frame;
    },
  };
}

/** How many bytes of a frame its length counts besides the payload. */
const counted = ({ bytes, includesHeader = false }: LengthPrefix): number => (includesHeader ? bytes : 0);

function prefixReader(prefix: LengthPrefix, frameBytes: number): FrameReader {
  const { bytes, json = false } = prefix;
  return (unread) => {
    if (unread.length < bytes) return undefined;
    const size = readLength(unread, prefix) - BigInt(counted(prefix));
    if (size < 0n) throw new Unreadable(`a frame says that it has ${size} bytes besides its length`);
    if (size > frameBytes - bytes) throw tooLarge('a frame', size, frameBytes);
    const length = bytes + Number(size);
    if (unread.length < length) return undefined;
    const payload = unread.subarray(bytes, length);
    if (!json) return { type: 'frame', content: asData(payload), length };
    if (!isUtf8(payload)) throw new Unreadable('a frame is no UTF-8');
    return { ...jsonFrom(payload.toString('utf8')), length };
  };
}

function readLength(from: Buffer, { bytes, endian }: LengthPrefix): bigint {
  const isLittle = endian === 'little';
  if (bytes === 8) return isLittle ? from.readBigUInt64LE(0) : from.readBigUInt64BE(0);
  return BigInt(isLittle ? from.readUIntLE(0, bytes) : from.readUIntBE(0, bytes));
}

function writeLength(frame: Buffer, length: number, { bytes, endian }: LengthPrefix): void {
  if (length >= 2 ** (8 * bytes)) throw cannot(`it has ${length} bytes, which a length of ${bytes} bytes cannot say.`);
  const isLittle = endian === 'little';
  if (bytes === 8) {
    if (isLittle) frame.writeBigUInt64LE(BigInt(length), 0);
    else frame.writeBigUInt64BE(BigInt(length), 0);
  } else if (isLittle) frame.writeUIntLE(length, 0, bytes);
  else frame.writeUIntBE(length, 0, bytes);
}

function payloadOf(message: unknown): Buffer {
  const content = typeof message === 'object' && message !== null && 'content' in message ? message.content : message;
  if (isBytesAsData(content)) return asBytes(content);
  throw cannot('it is no text.');
}

const cannot = (problem: string): CannotWrite =>
  new CannotWrite(
    'lengthPrefixed()',
    problem,
    "Send text, such as { type: 'frame', content: 'hello' }; { base64 } stands for bytes that are no text, and json: true writes any data.",
  );

function checkPrefix({ bytes, endian = 'big' }: LengthPrefix): void {
  if (![1, 2, 4, 8].includes(bytes))
    throw new BadTcpOptions(`lengthPrefixed takes bytes: 1, 2, 4 or 8, not ${String(bytes)}.`);
  if (endian !== 'big' && endian !== 'little')
    throw new BadTcpOptions(`lengthPrefixed takes endian: 'big' or 'little', not ${String(endian)}.`);
}
