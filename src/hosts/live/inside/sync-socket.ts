import { createServer, type Server, type Socket } from 'node:net';
import { OutputLines } from '../process/output-lines.ts';

/** Takes a line of a connection. */
export type TakeLine = (line: string, connection: SyncConnection) => void;

/** A connection of a program to its socket. */
export class SyncConnection {
  constructor(
    private readonly socket: Socket,
    /** Who gets its lines. */
    public take: TakeLine,
  ) {
    const lines = new OutputLines((line) => this.take(line, this));
    socket.on('data', (chunk) => lines.push(chunk));
    socket.on('error', () => undefined);
  }

  get isOpen(): boolean {
    return this.socket.writable;
  }

  onClose(closed: () => void): void {
    this.socket.once('close', closed);
  }

  /** Writes a line to the program. */
  say(content: object): void {
    if (this.isOpen) this.socket.write(`${JSON.stringify(content)}\n`);
  }

  close(): void {
    this.socket.destroy();
  }
}

/** A unix socket at which a program speaks JSON, a value a line. */
export class SyncSocket {
  private readonly connections = new Set<SyncConnection>();
  /** The connection that the program opened first. */
  first: SyncConnection | undefined;

  private constructor(
    readonly path: string,
    private readonly server: Server,
    take: TakeLine,
  ) {
    server.on('connection', (socket) => this.accept(new SyncConnection(socket, take)));
  }

  static async listen(path: string, take: TakeLine): Promise<SyncSocket> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    // A connection that cannot be accepted, such as for want of file descriptors, is refused.
    server.on('error', () => undefined);
    return new SyncSocket(path, server, take);
  }

  private accept(connection: SyncConnection): void {
    this.first ??= connection;
    this.connections.add(connection);
    connection.onClose(() => this.connections.delete(connection));
  }

  /** Ends all connections, and removes the socket. */
  close(): Promise<void> {
    for (const connection of this.connections) connection.close();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }
}
