import { createServer, type Socket } from 'node:net';
import { Decoder, openflow10, type Message } from 'culprit/networks';
import type { Closed, Received } from '../base/app.ts';
import type { Endpoint } from './arguments.ts';

type Take = (message: Received, from: string) => void;

/** The connections of switches, by names that are given in the order of their arrival. */
export class SwitchSockets {
  private readonly sockets = new Map<string, Socket>();
  private accepted = 0;

  constructor(private readonly take: Take) {}

  listen({ host, port }: Endpoint): void {
    createServer({ noDelay: true }, (socket) => this.accept(socket)).listen(port, host);
  }

  has(name: string): boolean {
    return this.sockets.has(name);
  }

  send(name: string, message: Message | Closed): void {
    const socket = this.sockets.get(name);
    if (message.type !== 'closed') socket?.write(openflow10.encode(message));
    else {
      this.sockets.delete(name);
      socket?.end();
    }
  }

  private accept(socket: Socket): void {
    const name = `channel ${(this.accepted += 1)}`;
    const decoder = new Decoder(openflow10);
    this.sockets.set(name, socket);
    socket.on('data', (chunk) => {
      for (const received of decoder.push(chunk))
        if (received.kind === 'message' && this.sockets.has(name)) this.take(received.message, name);
    });
    // 'close' follows.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.sockets.delete(name)) this.take({ type: 'closed' }, name);
    });
  }
}
