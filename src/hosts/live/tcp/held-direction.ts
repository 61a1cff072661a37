import type { World } from '../../../kernel/world.ts';
import { asData } from './bytes-as-data.ts';
import type { ConnectionEnd } from './connection-end.ts';
import type { FrameCodec } from './frame-codec.ts';
import { bytesOf, messageOf } from './frame-message.ts';
import type { Frame, FrameStream } from './frame-stream.ts';

/** A sender waits while more than this is in flight, as it does for a receiver that does not read. */
const IN_FLIGHT_BYTES = 1024 * 1024;

/** How often the world has to be without messages of a direction until those that are missing count as lost. */
const LOOKS = 2;

/** One direction of a connection: frames become messages of the kernel, and are written when it delivers them. */
export class HeldDirection {
  /** The sizes of the frames that are in flight, in order. */
  private readonly sizes: number[] = [];
  private bytes = 0;
  private hasEnded = false;
  private emptyLooks = 0;

  constructor(
    private readonly codec: FrameCodec,
    private readonly stream: FrameStream,
    private readonly from: ConnectionEnd,
    private readonly to: ConnectionEnd,
    private readonly lane: string | undefined,
  ) {}

  /** The bytes of a frame that its sender has not finished. */
  get unfinished(): Buffer {
    return this.stream.rest;
  }

  /** Takes bytes of the sender. */
  take(chunk: Buffer): void {
    const before = this.stream.problem;
    for (const frame of this.stream.push(chunk)) this.send(frame);
    const { problem } = this.stream;
    if (problem !== before)
      this.from.io?.observe('unreadable', { to: this.to.name, codec: this.codec.name, why: problem });
    if (this.bytes > IN_FLIGHT_BYTES) this.from.socket?.pause();
  }

  private send(frame: Frame): void {
    this.sizes.push(frame.bytes.length);
    this.bytes += frame.bytes.length;
    const { lane } = this;
    this.from.io?.send(this.to.name, messageOf(this.codec, frame), lane === undefined ? {} : { lane });
  }

  /** The sender will send no more. The receiver learns of it after the frames that are in flight. */
  end(): void {
    const rest = Buffer.from(this.stream.rest);
    if (rest.length > 0) this.send({ type: 'raw', content: `${rest.length} bytes`, bytes: rest, isChunk: true });
    this.hasEnded = true;
    this.passEnd();
  }

  private passEnd(): void {
    if (this.hasEnded && this.sizes.length === 0 && this.to.socket?.writable === true) this.to.socket.end();
  }

  /** The kernel delivers a message. False if its connection takes nothing any more. */
  deliver(message: unknown): boolean {
    const size = this.sizes.shift() ?? 0;
    this.bytes -= size;
    this.resume();
    const isOpen = this.to.socket?.writable === true;
    if (isOpen) this.to.socket?.write(this.written(message));
    this.passEnd();
    return isOpen;
  }

  /** What a process of ours sends was not read before: the codec has to know of it to read the answers. */
  private written(message: unknown): Uint8Array {
    const bytes = bytesOf(this.codec, message);
    if (this.from.socket === undefined) this.stream.push(Buffer.from(bytes));
    return bytes;
  }

  private resume(): void {
    if (this.bytes <= IN_FLIGHT_BYTES && this.from.socket?.isPaused() === true) this.from.socket.resume();
  }

  /** Messages may have been lost, so that their delivery is not to be waited for. */
  afterEvent(world: World): void {
    if (this.sizes.length === 0 || !(this.hasEnded || this.bytes > IN_FLIGHT_BYTES)) return;
    const { from, to, lane } = this;
    const isInFlight = world.pending.some(
      (event) =>
        event.kind === 'deliver' && event.process === to.name && event.from === from.name && event.lane === lane,
    );
    this.emptyLooks = isInFlight ? 0 : this.emptyLooks + 1;
    if (this.emptyLooks < LOOKS) return;
    this.sizes.length = 0;
    this.bytes = 0;
    this.resume();
    this.passEnd();
  }

  /** What is known of the direction when its connection breaks. */
  broken(): object {
    const { unfinished } = this;
    return unfinished.length === 0 ? {} : { unfinished: asData(unfinished) };
  }
}
