import { HEADER } from './layout.ts';
import type { Protocol, Received } from './protocol.ts';

/**
 * Reads the messages of a channel from chunks of any size. Holds the incomplete message at the end of a chunk, of at
 * most 64 KiB; complete ones are read where they are.
 */
export class Decoder<M> {
  /** The bytes of a message that is not complete yet; of one whose length is unknown, those of its header. */
  private held: Buffer | undefined;
  private count = 0;
  private isOver = false;

  constructor(private readonly protocol: Protocol<M>) {}

  /** How many bytes of an incomplete message it holds. */
  get incomplete(): number {
    return this.count;
  }

  /** Whether the channel is broken. What arrives later is not read. */
  get isBroken(): boolean {
    return this.isOver;
  }

  /** The messages that are complete with this chunk. Ends with the one that breaks the channel, if one does. */
  push(chunk: Uint8Array): Received<M>[] {
    const received: Received<M>[] = [];
    let at = 0;
    while (!this.isOver && at < chunk.length) {
      at = this.held === undefined ? this.readFrom(chunk, at, received) : this.fill(this.held, chunk, at, received);
    }
    return received;
  }

  /** Reads a message that begins here, or holds what there is of it. Returns where the next one begins. */
  private readFrom(chunk: Uint8Array, at: number, received: Received<M>[]): number {
    const left = chunk.length - at;
    const length = left < HEADER ? HEADER : lengthAt(chunk, at);
    if (length <= left) {
      // Of a length that cannot be, the header is decoded, which refuses it.
      const end = at + Math.max(length, HEADER);
      this.decode(chunk.subarray(at, end), received);
      return end;
    }
    this.held = Buffer.allocUnsafeSlow(length);
    return this.fill(this.held, chunk, at, received);
  }

  private fill(held: Buffer, chunk: Uint8Array, at: number, received: Received<M>[]): number {
    const end = Math.min(chunk.length, at + held.length - this.count);
    held.set(chunk.subarray(at, end), this.count);
    this.count += end - at;
    if (this.count < held.length) return end;
    const length = lengthAt(held, 0);
    if (length > held.length) {
      this.held = Buffer.allocUnsafeSlow(length);
      this.held.set(held);
      return end;
    }
    this.held = undefined;
    this.count = 0;
    this.decode(held, received);
    return end;
  }

  private decode(bytes: Uint8Array, received: Received<M>[]): void {
    const one = this.protocol.decode(bytes);
    received.push(one);
    this.isOver = one.kind === 'broken';
  }
}

/** The length that a header declares. */
export const lengthAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number);
