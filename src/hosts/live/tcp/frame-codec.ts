import { CulpritError } from '../../../error.ts';
import type { BlamedCodec } from '../codec-failed.ts';

/** What a codec says of the frame at the beginning of unread bytes. */
export interface ReadFrame {
  /** What kind of message it is, in a word or two: stories name messages by it. */
  readonly type: string;
  /** What it says, as plain data for readers. */
  readonly content: unknown;
  /** How many bytes it has. */
  readonly length: number;
}

/**
 * Reads the frames of one direction of a connection, in order. Gets all bytes that belong to no frame yet; undefined means that the
 * first frame is not complete. Throws `Unreadable` for bytes that are no frame. It may remember what it has looked at.
 */
export type FrameReader = (unread: Buffer) => ReadFrame | undefined;

/** The readers of the two directions of a connection: what the side that connected sends, and what the other one answers. */
export interface FrameReaders {
  /** Reads what the client of the connection sends. */
  readonly client: FrameReader;
  /** Reads what the server sends. */
  readonly server: FrameReader;
}

/** Splits the bytes of TCP connections into frames, and says what a frame means. */
export interface FrameCodec {
  /** As in `tcp(resp())`: errors name it. */
  readonly name: string;
  /** Reads a new connection. Frames of more than `frameBytes` are refused. */
  open(limits: { readonly frameBytes: number }): FrameReaders;
  /** The bytes of a message: of `{ type, content }` as a reader returned them, or of what processes of the user send. */
  bytesOf(message: unknown): Uint8Array;
  /** Whether the content of a frame is the whole message, an object with a `type`; otherwise that is `{ type, content }`. */
  readonly isFlat?: true;
  /** What counts of a message when two executions are compared: its type and content if left out. */
  fingerprint?(message: FrameMessage): unknown;
}

/** A frame as the message of the kernel. */
export interface FrameMessage {
  /** The type of the message, for stories: `GET`. */
  readonly type: string;
  /** What it says, as plain data. */
  readonly content: unknown;
  /** The exact bytes of the frame, where type and content alone would give others. */
  readonly bytes?: string | { readonly base64: string };
}

/** Longer frames are not read: their connection is passed on as chunks. */
export const FRAME_BYTES_MAX = 16 * 1024 * 1024;

/** Bytes that are no frame of the codec. The connection is passed on as chunks from there on. */
export class Unreadable extends Error {
  /** The name of the error. */
  override readonly name = 'Unreadable';
}

/** A frame that is larger than the limit `frameBytes`. */
export const tooLarge = (what: string, bytes: number | bigint, frameBytes: number): Unreadable =>
  new Unreadable(`${what} of ${bytes} bytes is more than frameBytes: ${frameBytes}`);

/** A codec of this name, as errors name it. */
export const blamedFrameCodec = (name: string): BlamedCodec => ({
  who: `the codec ${name} of tcp`,
  contract:
    'a reader returns { type, content, length } or undefined, and throws Unreadable for bytes that it cannot read; bytesOf returns a Uint8Array.',
});

/** A message that a codec cannot write: a process of the user sent it. */
export class CannotWrite extends CulpritError {
  readonly code = 'CANNOT_WRITE';

  constructor(codec: string, problem: string, next: string) {
    super(`${codec} cannot write the message: ${problem}`, next);
  }
}
