import { TcpConnection, type Endpoint, type Side } from './tcp-connection.ts';

/** The port of the standard for controllers. */
const CONTROLLER_PORT = 6653;

/** The first of the ports that systems choose for clients, and how many there are. */
const CLIENT_PORT = 49_152;
const CLIENT_PORTS = 16_384;

/** What a channel carries: one message, or the end of a connection. */
export type Sent = { readonly bytes: Uint8Array; readonly hello?: number } | { readonly closes: true };

/**
 * The channel of a controller and a switch as TCP connections, one after another. A switch opens a connection: the client is the
 * switch. Both sides begin with a hello, so a message belongs to the connection of the last hello of its side, even if the
 * other side has a newer one already.
 */
export class ControlChannel {
  private readonly connections: Connection[] = [];
  private readonly current: Partial<Record<Side, Connection>> = {};

  constructor(
    private readonly controller: number,
    private readonly node: number,
  ) {}

  /** The packets of what was delivered, after those that open a connection for it. */
  packetsOf(side: Side, sent: Sent): Buffer[] {
    const latest = this.usable(side, this.current[side]) ?? this.usable(side, this.newest);
    if ('closes' in sent) return latest?.tcp.close(side) ?? [];
    const { hello, bytes } = sent;
    const known = hello === undefined ? latest : this.greetedBy(side, hello);
    const { connection, opening } = known === undefined ? this.opened() : { connection: known, opening: [] };
    this.current[side] = connection;
    if (hello !== undefined) connection.hellos[side] ??= hello;
    return [...opening, ...connection.tcp.send(side, bytes)];
  }

  /**
   * The connection that a hello belongs to: the newest, unless that side has sent another hello on it. A switch tries again with the
   * same hello, and a controller may answer an old one late.
   */
  private greetedBy(side: Side, hello: number): Connection | undefined {
    const newest = this.usable(side, this.newest);
    const isFirst = newest?.hellos[side] === undefined;
    return isFirst || newest?.hellos[side] === hello || side === 'server' ? newest : undefined;
  }

  private get newest(): Connection | undefined {
    return this.connections.at(-1);
  }

  private usable(side: Side, connection: Connection | undefined): Connection | undefined {
    return connection?.tcp.isClosedBy(side) === false ? connection : undefined;
  }

  private opened(): { connection: Connection; opening: Buffer[] } {
    const client: Endpoint = { address: this.node, port: CLIENT_PORT + (this.connections.length % CLIENT_PORTS) };
    const tcp = new TcpConnection({ client, server: { address: this.controller, port: CONTROLLER_PORT } });
    const connection: Connection = { tcp, hellos: {} };
    this.connections.push(connection);
    return { connection, opening: tcp.open() };
  }
}

interface Connection {
  readonly tcp: TcpConnection;
  /** The number of the first hello of each side. */
  readonly hellos: Partial<Record<Side, number>>;
}
