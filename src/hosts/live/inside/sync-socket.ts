import { createServer, type Server, type Socket } from 'node:net';
import { OutputLines } from '../process/output-lines.ts';

/** Takes a line; `answer` writes one back. */
export type TakeLine = (line: string, answer: (content: object) => void) => void;

/** A unix socket at which a program speaks JSON, a value a line. */
export class SyncSocket {
  private readonly connections = new Set<Socket>();
  /** Whether the program has connected. */
  hasConnected = false;

  private constructor(
    readonly path: string,
    private readonly server: Server,
    take: TakeLine,
  ) {
    server.on('connection', (socket) => this.accept(socket, take));
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

  private accept(socket: Socket, take: TakeLine): void {
    this.hasConnected = true;
    this.connections.add(socket);
    socket.on('close', () => this.connections.delete(socket));
    socket.on('error', () => undefined);
    const answer = (content: object): void => {
      if (socket.writable) socket.write(`${JSON.stringify(content)}\n`);
    };
    const lines = new OutputLines((line) => take(line, answer));
    socket.on('data', (chunk) => lines.push(chunk));
  }

  /** Ends all connections, and removes the socket. */
  close(): Promise<void> {
    for (const socket of this.connections) socket.destroy();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }
}
