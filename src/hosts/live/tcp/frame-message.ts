import { CulpritError, isOf } from '../../../error.ts';
import { asBytes, asData, isBytesAsData } from './bytes-as-data.ts';
import { CodecFailed, type FrameCodec, type FrameMessage } from './frame-codec.ts';
import type { Frame } from './frame-stream.ts';

/** The message of a frame. It has the bytes where the codec would write others, so that what is delivered is what was sent. */
export function messageOf(codec: FrameCodec, { type, content, bytes, isChunk }: Frame): object {
  const message = codec.isFlat === true && isChunk !== true ? (content as object) : { type, content };
  return isChunk !== true && writes(codec, message, bytes) ? message : { ...message, bytes: asData(bytes) };
}

function writes(codec: FrameCodec, message: object, bytes: Buffer): boolean {
  try {
    return bytes.equals(codec.bytesOf(message));
  } catch {
    // It can be read and not written. That is no reason to fail: its bytes are known.
    return false;
  }
}

/** The bytes of a message: those it has, or those that the codec writes. */
export function bytesOf(codec: FrameCodec, message: unknown): Uint8Array {
  if (typeof message === 'object' && message !== null && 'bytes' in message && isBytesAsData(message.bytes))
    return asBytes(message.bytes);
  let bytes: unknown;
  try {
    bytes = codec.bytesOf(message);
  } catch (error) {
    throw isOf(error, CulpritError) ? error : CodecFailed.by(codec.name, error);
  }
  if (bytes instanceof Uint8Array) return bytes;
  throw new CodecFailed(codec.name, 'bytesOf returned something that is no Uint8Array.');
}

/** What counts of a message of the codec when two executions are compared: its type and content, not its bytes. */
export function fingerprintOf(codec: FrameCodec): (message: unknown) => unknown {
  return (message) => {
    if (!isFrameMessage(message)) return message;
    return codec.fingerprint === undefined ? typeAndContent(message) : codec.fingerprint(message);
  };
}

export const typeAndContent = ({ type, content }: FrameMessage): unknown => ({ type, content });

/** Processes of the user have messages of their own, which may have a type as well. */
function isFrameMessage(message: unknown): message is FrameMessage {
  if (typeof message !== 'object' || message === null) return false;
  const { type, content, ...rest } = message as Partial<FrameMessage>;
  const isMore = Object.keys(rest).some((field) => field !== 'bytes');
  return typeof type === 'string' && content !== undefined && !isMore;
}
