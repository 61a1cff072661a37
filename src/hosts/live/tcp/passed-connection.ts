import type { Socket } from 'node:net';
import { CUT_OFF } from '../../../kernel/recording.ts';
import { reset, type ConnectionEnd } from './connection-end.ts';
import { PassedDirection } from './passed-direction.ts';

/** How a link behaves whose connections are passed through. */
export interface PassedLink {
  /**
   * What a cut does: the bytes of a direction wait until it heals; or they are lost, and the connection breaks when it heals; or
   * connections are reset, and so are those that are opened meanwhile.
   */
  readonly onCut?: 'hold' | 'lose' | 'reset';
  /** How long bytes take. */
  readonly delayMs?: number;
}

/** Whether messages from one process to another are cut off. */
export type IsCut = (from: string, to: string) => boolean;

/** A connection between two programs whose bytes are not messages of the kernel. */
export class PassedConnection {
  private readonly directions: Readonly<Record<'client' | 'server', PassedDirection>>;
  private readonly onCut: 'hold' | 'lose' | 'reset';
  isOver = false;

  constructor(
    { onCut = 'hold', delayMs = 0 }: PassedLink,
    readonly ends: Readonly<Record<'client' | 'server', ConnectionEnd & { readonly socket: Socket }>>,
  ) {
    this.onCut = onCut;
    const { client, server } = ends;
    this.directions = {
      client: new PassedDirection(client.socket, server.socket, delayMs, onCut, () => cutOff(client, server)),
      server: new PassedDirection(server.socket, client.socket, delayMs, onCut, () => cutOff(server, client)),
    };
    this.listen(client, server);
    this.listen(server, client);
  }

  private listen(end: ConnectionEnd & { readonly socket: Socket }, other: ConnectionEnd): void {
    end.socket.setNoDelay(true);
    end.socket.on('end', () => this.isOver || observe('closes', end, other));
    end.socket.on('error', () => {
      if (this.isOver) return;
      observe('breaks', end, other);
      this.close();
    });
    end.socket.on('close', () => {
      if (other.socket?.destroyed === true) this.isOver = true;
    });
  }

  /** The links that are cut may have changed. */
  follow(isCut: IsCut): void {
    if (this.isOver) return;
    const { client, server } = this.ends;
    const there = isCut(client.name, server.name);
    const back = isCut(server.name, client.name);
    this.directions.client.cut = there;
    this.directions.server.cut = back;
    const isBroken = (!there && this.directions.client.hasLost) || (!back && this.directions.server.hasLost);
    const isReset = this.onCut === 'reset' && (there || back);
    if (isReset) cutOff(there ? client : server, there ? server : client);
    if (isBroken || isReset) {
      observe('loses', client, server);
      this.close();
    }
  }

  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    reset(this.ends.client.socket);
    reset(this.ends.server.socket);
  }
}

const cutOff = (from: ConnectionEnd, to: ConnectionEnd): void => from.io?.observe(CUT_OFF, { to: to.name });

/** Notes it where it happens; for an end outside of the system, at the other one. */
function observe(what: string, end: ConnectionEnd, other: ConnectionEnd): void {
  if (end.io !== undefined) end.io.observe(`${what} connection`, { to: other.name });
  else other.io?.observe(`${what} connection`, { by: end.name });
}
