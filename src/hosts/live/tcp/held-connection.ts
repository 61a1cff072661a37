import type { Socket } from 'node:net';
import type { World } from '../../../kernel/world.ts';
import { reset, type ConnectionEnd } from './connection-end.ts';
import { CodecFailed, type FrameCodec, type FrameReaders } from './frame-codec.ts';
import { FrameStream } from './frame-stream.ts';
import { HeldDirection } from './held-direction.ts';
import type { Framing } from './tcp-options.ts';

type Side = 'client' | 'server';
const otherOf = { client: 'server', server: 'client' } as const;

/** The codec may be the user's. */
function readersOf(codec: FrameCodec, frameBytes: number): FrameReaders {
  let readers: FrameReaders;
  try {
    readers = codec.open({ frameBytes });
  } catch (error) {
    throw CodecFailed.by(codec.name, error);
  }
  const { client, server } = Object(readers) as Partial<FrameReaders>;
  if (typeof client === 'function' && typeof server === 'function') return { client, server };
  throw new CodecFailed(codec.name, 'open returned no readers for client and server.');
}

/** A connection whose frames are messages of the kernel, on a lane of their own. */
export class HeldConnection {
  private readonly directions: Readonly<Record<Side, HeldDirection>>;
  private readonly ended = new Set<Side>();
  /** Nothing is delivered on it any more. */
  isOver = false;

  constructor(
    { codec, frameBytes }: Framing,
    readonly lane: string | undefined,
    readonly ends: Readonly<Record<Side, ConnectionEnd>>,
  ) {
    const { client, server } = ends;
    const readers = readersOf(codec, frameBytes);
    const direction = (side: Side, from: ConnectionEnd, to: ConnectionEnd): HeldDirection =>
      new HeldDirection(codec, new FrameStream(codec.name, readers[side], frameBytes), from, to, lane);
    this.directions = { client: direction('client', client, server), server: direction('server', server, client) };
    for (const side of ['client', 'server'] as const) this.listen(side, ends[side].socket);
  }

  private listen(side: Side, socket: Socket | undefined): void {
    if (socket === undefined) return;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.during(side, () => this.directions[side].take(chunk)));
    socket.on('end', () => this.during(side, () => this.end(side)));
    socket.on('error', () => this.during(side, () => this.breaks(side)));
    socket.on('close', () => {
      // While the other one is open, frames in flight may still be delivered there.
      if (this.ends[otherOf[side]].socket?.destroyed !== false) this.isOver = true;
    });
  }

  /** A codec of the user may fail wherever bytes arrive: the process that sent them reports it. */
  private during(side: Side, happen: () => void): void {
    if (this.isOver) return;
    try {
      happen();
    } catch (error) {
      const { io } = this.ends[side];
      this.close();
      (io ?? this.ends[otherOf[side]].io)?.failed(error);
    }
  }

  private end(side: Side): void {
    this.observe(this.ended.size === 0 ? 'half-closes' : 'closes', side);
    this.ended.add(side);
    this.directions[side].end();
    // A process of ours has no socket to close: it has nothing more to say to a server that has closed.
    if (this.ends[otherOf[side]].socket === undefined) {
      this.isOver = true;
      this.ends[side].socket?.end();
    }
  }

  private breaks(side: Side): void {
    this.observe('breaks', side);
    this.close();
  }

  /** Something happened to the connection at this end. */
  private observe(what: string, side: Side): void {
    const { io } = this.ends[side];
    const peer = this.ends[otherOf[side]].name;
    io?.observe(`${what} connection`, {
      to: peer,
      ...(this.lane === undefined ? {} : { lane: this.lane }),
      ...this.directions[side].broken(),
    });
  }

  /** The kernel delivers a message to the process at one end. */
  deliver(message: unknown, to: string): boolean {
    const side = to === this.ends.server.name ? 'client' : 'server';
    return !this.isOver && this.directions[side].deliver(message);
  }

  afterEvent(world: World): void {
    if (this.isOver) return;
    this.directions.client.afterEvent(world);
    this.directions.server.afterEvent(world);
  }

  /** Ends it at once for both ends, as when one of them crashes. */
  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    reset(this.ends.client.socket);
    reset(this.ends.server.socket);
  }
}
