import { isOf } from '../../../error.ts';
import { CodecFailed, codecFailure } from '../codec-failed.ts';
import { blamedFrameCodec, Unreadable, tooLarge, type FrameReader, type ReadFrame } from './frame-codec.ts';

/** A frame that was read, with its bytes. */
export interface Frame {
  readonly type: string;
  readonly content: unknown;
  readonly bytes: Buffer;
  /** The codec could not read it: it is a chunk of the connection. */
  readonly isChunk?: true;
}

const NOTHING = Buffer.alloc(0);

/** A larger buffer is given back once it is empty. */
const KEPT_BYTES = 64 * 1024;

/**
 * Reads the frames of one direction from chunks of any size. From the first bytes on that the codec cannot read, every chunk is a
 * frame.
 */
export class FrameStream {
  /** Bytes that belong to no frame yet are at the beginning. */
  private buffer = NOTHING;
  private count = 0;
  /** Why the codec reads this direction no longer. */
  problem: string | undefined;

  constructor(
    private readonly codec: string,
    private readonly reader: FrameReader,
    private readonly frameBytes: number,
  ) {}

  /** The bytes of a frame that is not complete. */
  get rest(): Buffer {
    return this.buffer.subarray(0, this.count);
  }

  /** The frames that are complete with this chunk. */
  push(chunk: Buffer): Frame[] {
    if (this.problem !== undefined) return chunkFrames(chunk);
    const unread = this.count === 0 ? chunk : this.append(chunk);
    const frames: Frame[] = [];
    let at = 0;
    try {
      while (at < unread.length) {
        const read = this.readAt(unread.subarray(at));
        if (read === undefined) break;
        // A buffer that grows is used again: its frames are copied.
        const bytes = unread.subarray(at, at + read.length);
        at += read.length;
        frames.push({ type: read.type, content: read.content, bytes: unread === chunk ? bytes : Buffer.from(bytes) });
      }
      if (unread.length - at > this.frameBytes)
        throw tooLarge('an unfinished frame', unread.length - at, this.frameBytes);
    } catch (error) {
      if (!isOf(error, Unreadable)) throw error;
      this.problem = error.message;
    }
    const left = unread.subarray(at);
    if (this.problem === undefined) this.keep(left);
    else {
      frames.push(...chunkFrames(Buffer.from(left)));
      this.buffer = NOTHING;
      this.count = 0;
    }
    return frames;
  }

  /** Reads one frame, and checks that it is one: the codec may be the user's. */
  private readAt(unread: Buffer): ReadFrame | undefined {
    let read: ReadFrame | undefined;
    try {
      read = this.reader(unread);
    } catch (error) {
      throw isOf(error, Unreadable) ? error : codecFailure(blamedFrameCodec(this.codec), error);
    }
    if (read === undefined) return undefined;
    const { type, length } = Object(read) as ReadFrame;
    if (typeof type === 'string' && Number.isInteger(length) && length > 0 && length <= unread.length) return read;
    throw new CodecFailed(
      blamedFrameCodec(this.codec),
      `it returned a frame with type ${String(type)} and length ${String(length)}, of ${unread.length} unread bytes.`,
    );
  }

  private append(chunk: Buffer): Buffer {
    this.reserve(this.count + chunk.length);
    this.buffer.set(chunk, this.count);
    this.count += chunk.length;
    return this.rest;
  }

  /** Keeps bytes for the next chunk. They may lie in the buffer already. */
  private keep(left: Buffer): void {
    if (left.length === 0 && this.buffer.length > KEPT_BYTES) this.buffer = NOTHING;
    this.reserve(left.length);
    this.buffer.set(left, 0);
    this.count = left.length;
  }

  /** Doubles the buffer until it has room, so that each byte is copied a few times at most. */
  private reserve(bytes: number): void {
    if (bytes <= this.buffer.length) return;
    let size = Math.max(this.buffer.length, 1024);
    while (size < bytes) size *= 2;
    const larger = Buffer.allocUnsafeSlow(size);
    larger.set(this.rest, 0);
    this.buffer = larger;
  }
}

const chunkFrames = (bytes: Buffer): Frame[] =>
  bytes.length === 0 ? [] : [{ type: 'raw', content: `${bytes.length} bytes`, bytes, isChunk: true }];
