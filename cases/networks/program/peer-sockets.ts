import { connect, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { PeerMessage, Received } from '../base/app.ts';
import type { Endpoint } from './arguments.ts';

type Take = (message: Received, from: string) => void;

const AGAIN_MS = 100;

/** Connections to peers: a message is a line of JSON with the name of its sender in `from`. */
export class PeerSockets {
  /** By the name of the peer. */
  private readonly sockets = new Map<string, Socket>();

  constructor(
    private readonly self: string,
    private readonly take: Take,
  ) {}

  listen({ host, port }: Endpoint): void {
    createServer({ noDelay: true }, (socket) => this.read(socket)).listen(port, host);
  }

  /** Connects to a peer, and again whenever the connection is over. What is sent before there is one waits for it. */
  connect(name: string, { host, port }: Endpoint): void {
    const socket = connect({ host, port, noDelay: true });
    this.sockets.set(name, socket);
    this.read(socket, name);
    socket.on('close', () => setTimeout(() => this.connect(name, { host, port }), AGAIN_MS));
  }

  /** A peer that there is no connection to does not get it. */
  send(name: string, message: PeerMessage): void {
    this.sockets.get(name)?.write(`${JSON.stringify({ ...message, from: this.self })}\n`);
  }

  private read(socket: Socket, known?: string): void {
    let name = known;
    const lines = createInterface(socket);
    lines.on('line', (line) => {
      const { from, ...message } = JSON.parse(line) as PeerMessage & { readonly from: string };
      name = from;
      this.sockets.set(from, socket);
      this.take(message, from);
    });
    // 'close' follows.
    for (const one of [socket, lines]) one.on('error', () => undefined);
    socket.on('close', () => {
      // The peer may be back on another connection already.
      if (name === undefined || this.sockets.get(name) !== socket) return;
      this.sockets.delete(name);
      this.take({ type: 'closed' }, name);
    });
  }
}
