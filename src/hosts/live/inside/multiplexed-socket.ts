import { Duplex } from 'node:stream';

/** Writes a line to the program. */
export type Say = (content: object) => void;

/** A connection to a program that has no socket of its own: its bytes are lines at the one socket of the program. */
export class MultiplexedSocket extends Duplex {
  /** As of a socket: it is open from the beginning. */
  readonly connecting = false;
  private hasSaidClosed = false;

  constructor(
    readonly id: number,
    private readonly say: Say,
  ) {
    super();
  }

  override _read(): void {
    // The program decides when there is something to read.
  }

  override _write(chunk: Buffer, _: BufferEncoding, written: () => void): void {
    this.say({ name: 'data', socket: this.id, data: chunk.toString('base64') });
    written();
  }

  override _final(finished: () => void): void {
    this.sayClosed();
    finished();
  }

  override _destroy(error: Error | null, destroyed: (error: Error | null) => void): void {
    this.sayClosed();
    destroyed(error);
  }

  /** Ends it when everything is written. */
  destroySoon(): void {
    this.end(() => this.destroy());
  }

  resetAndDestroy(): this {
    return this.destroy();
  }

  private sayClosed(): void {
    if (!this.hasSaidClosed) this.say({ name: 'closed', socket: this.id });
    this.hasSaidClosed = true;
  }
}

/** Opens such connections. */
export interface Multiplexer {
  /** A connection to that port of the program, from that address; undefined if connections are sockets of their own. */
  connect(port: number, from: string | undefined): MultiplexedSocket | undefined;
  /** Of a copy of a program: the connection of that number, which the program had. */
  continue(id: number): MultiplexedSocket;
}

/** The connections of a program that come through its one socket, so that neither direction has an order of its own for each of them. */
export class MultiplexedSockets {
  private readonly open = new Map<number, MultiplexedSocket>();

  constructor(
    private readonly say: Say,
    /** The number of connections that the program has had so far. */
    private count = 0,
  ) {}

  /** Those of a copy of the program: it has none before `continue`. */
  copyFor(say: Say): MultiplexedSockets {
    return new MultiplexedSockets(say, this.count);
  }

  /** A new connection to that port of the program, from that address. */
  connect(port: number, from: string | undefined): MultiplexedSocket {
    const id = ++this.count;
    this.say({ name: 'connect', socket: id, port, ...(from === undefined ? {} : { from }) });
    return this.continue(id);
  }

  continue(id: number): MultiplexedSocket {
    const socket = new MultiplexedSocket(id, this.say);
    this.open.set(id, socket);
    socket.once('close', () => this.open.delete(id));
    return socket;
  }

  /** The program has written bytes, or closed a connection. */
  take(id: number, data: string | undefined): void {
    this.open.get(id)?.push(data === undefined ? null : Buffer.from(data, 'base64'));
  }

  close(): void {
    for (const socket of this.open.values()) socket.destroy();
  }
}
