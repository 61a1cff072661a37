import { connect, type Socket } from 'node:net';
import type { SessionResource } from '../../../kernel/uncontrolled/session-resources.ts';
import type { World } from '../../../kernel/world.ts';
import { ENVIRONMENT } from '../../../trace/event.ts';
import type { Endpoint } from '../connector.ts';
import { reset } from './connection-end.ts';
import { HeldConnection } from './held-connection.ts';
import type { JoinedProgram, ListeningPort } from './joined-program.ts';
import { NoConnection } from './no-connection.ts';
import { PassedConnection, type IsCut, type PassedLink } from './passed-connection.ts';
import type { Framing } from './tcp-options.ts';

/** A connection on behalf of a process of ours, in one of its lives. */
interface ClientConnection {
  readonly connection: HeldConnection;
  readonly client: string;
  readonly restarts: number;
}

/** All connections between the processes of a session. */
export class TcpNetwork implements SessionResource {
  private readonly programs = new Map<string, JoinedProgram>();
  /** All that have joined, also those that are down: their own connections carry what they send. */
  private readonly names = new Set<string>();
  /** By the names of their ends and their lane. Those that are over stay, so that late messages are not taken for new ones. */
  private readonly held = new Map<string, HeldConnection>();
  private readonly clients = new Map<string, ClientConnection>();
  private readonly passed = new Set<PassedConnection>();
  private readonly counts = new Map<string, number>();
  private world: World | undefined;
  private cuts: ReadonlySet<string> = new Set();

  /** Opens the network of a session: for `Io.shared`. */
  static readonly open = (): TcpNetwork => new TcpNetwork();

  readonly isCut: IsCut = (from, to) => this.cuts.has(keyOf(from, to));

  get joined(): readonly JoinedProgram[] {
    return [...this.programs.values()];
  }

  join(program: JoinedProgram): void {
    this.names.add(program.place.name);
    this.programs.set(program.place.name, program);
  }

  /** The life of a program is over: its connections break. */
  leave({ place: { name } }: JoinedProgram): void {
    this.programs.delete(name);
    for (const connection of [...this.held.values(), ...this.passed])
      if (connection.ends.client.name === name || connection.ends.server.name === name) connection.close();
    this.forgetPassed();
  }

  /** How a connection of two programs is passed through that was opened to this port; undefined if it is held. */
  passedLink(
    client: JoinedProgram | undefined,
    server: JoinedProgram,
    { settings }: ListeningPort,
  ): PassedLink | undefined {
    // Nothing can be sent in the name of a process that is not one of the system.
    if (client === undefined || client.place.name === server.place.name) return {};
    const link = settings.pass.get(client.place.name) ?? client.passing.pass.get(server.place.name);
    return link ?? (settings.passesAll || client.passing.passesAll ? {} : undefined);
  }

  /** A program has connected to another one, and its frames are messages from now on. */
  hold(
    client: JoinedProgram,
    server: JoinedProgram,
    framing: Framing,
    sockets: { readonly client: Socket; readonly server: Socket },
  ): void {
    const from = client.place.name;
    const to = server.place.name;
    const nth = (this.counts.get(keyOf(from, to)) ?? 0) + 1;
    this.counts.set(keyOf(from, to), nth);
    const lane = `${from} ${nth}`;
    const connection = new HeldConnection(framing, lane, {
      client: { name: from, io: client.io, socket: sockets.client },
      server: { name: to, io: server.io, socket: sockets.server },
    });
    this.held.set(keyOf(from, to, lane), connection);
    this.held.set(keyOf(to, from, lane), connection);
    client.io.observe('opens connection', { to, lane });
  }

  /** The same, but bytes pass. */
  pass(
    link: PassedLink,
    client: JoinedProgram | undefined,
    server: JoinedProgram,
    sockets: { readonly client: Socket; readonly server: Socket },
  ): void {
    const to = server.place.name;
    const from = client?.place.name ?? ENVIRONMENT;
    const connection = new PassedConnection(link, {
      client: { name: from, io: client?.io, socket: sockets.client },
      server: { name: to, io: server.io, socket: sockets.server },
    });
    this.passed.add(connection);
    if (client === undefined) server.io.observe('takes connection', { from });
    else client.io.observe('opens connection', { to });
    connection.follow(this.isCut);
  }

  /** The kernel delivers a message to a program. */
  async deliver(server: JoinedProgram, message: unknown, from: string, lane: string | undefined): Promise<void> {
    const to = server.place.name;
    const held = this.held.get(keyOf(from, to, lane));
    // The notice that a program has crashed, which its peers learn from their connections.
    if (held === undefined && this.names.has(from)) return;
    const connection = held ?? (await this.connected(server, from, lane));
    if (connection?.deliver(message, to) !== true)
      server.io.observe('undelivered', { from, ...(lane === undefined ? {} : { lane }) });
  }

  /** The connection on behalf of a process that has none of its own. Undefined if the program takes none. */
  private async connected(
    server: JoinedProgram,
    client: string,
    lane: string | undefined,
  ): Promise<HeldConnection | undefined> {
    const { name } = server.place;
    const [port] = server.ports;
    if (port === undefined) throw new NoConnection(client, name);
    const key = keyOf(client, name, lane);
    const known = this.clients.get(key);
    if (known !== undefined && !known.connection.isOver) return known.connection;
    const socket = await opened(port.own);
    if (socket === undefined) return undefined;
    const connection = new HeldConnection(port.settings, lane, {
      client: { name: client, io: undefined, socket: undefined },
      server: { name, io: server.io, socket },
    });
    this.clients.set(key, { connection, client, restarts: this.restartsOf(client) });
    return connection;
  }

  private restartsOf(client: string): number {
    return client === ENVIRONMENT ? 0 : (this.world?.process(client).restarts ?? 0);
  }

  afterEvent(world: World): void {
    this.world = world;
    this.cuts = new Set(world.cutLinks.flatMap(([from, to, lane]) => (lane === undefined ? [keyOf(from, to)] : [])));
    for (const connection of this.passed) connection.follow(this.isCut);
    // Each is there twice, once for each direction.
    for (const connection of new Set(this.held.values())) connection.afterEvent(world);
    for (const [key, { connection, client, restarts }] of this.clients) {
      const isOver =
        client !== ENVIRONMENT && (!world.process(client).up || world.process(client).restarts !== restarts);
      if (isOver) connection.close();
      if (connection.isOver) this.clients.delete(key);
    }
    this.forgetPassed();
  }

  private forgetPassed(): void {
    for (const connection of this.passed) if (connection.isOver) this.passed.delete(connection);
  }

  close(): void {
    for (const connection of [...this.held.values(), ...this.passed]) connection.close();
    for (const { connection } of this.clients.values()) connection.close();
  }
}

const keyOf = (from: string, to: string, lane?: string): string => JSON.stringify([from, to, lane]);

/** How long a program may take to accept a connection: one that is paused has a queue for them, which may be full. */
const CONNECT_MS = 2_000;

/** A connection to a program; undefined if it accepts none. */
export const opened = ({ address, port }: Endpoint): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ host: address, port, allowHalfOpen: true, noDelay: true });
    const timer = setTimeout(() => socket.destroy(), CONNECT_MS);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
    socket.once('close', () => resolve(undefined));
    socket.once('connect', () => clearTimeout(timer));
    socket.once('close', () => clearTimeout(timer));
    // A connection that ends before anything listens to it is no error.
    socket.on('error', () => reset(socket));
  });
