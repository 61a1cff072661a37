import { createServer, type Server, type Socket } from 'node:net';
import { LiveSession, MARK } from '../session/live-session.ts';
import { PortTaken } from '../errors.ts';
import { allProcesses, hasEnvironment, treeOf } from '../process/proc.ts';
import { connectingProcess, type SocketEnds } from './connecting-process.ts';
import { reset } from './connection-end.ts';
import type { JoinedProgram, ListeningPort } from './joined-program.ts';
import { opened, type TcpNetwork } from './tcp-network.ts';

/** Stands where a port of a program is announced: takes the connections of other programs, and finds out whose they are. */
export class DestinationProxy {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly program: JoinedProgram,
    private readonly port: ListeningPort,
    private readonly network: TcpNetwork,
  ) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      // From the beginning: a connection may break while its owner is looked for.
      socket.on('error', () => undefined);
      // A codec of the user may fail when it opens.
      this.accept(socket).catch((error: unknown) => program.io.failed(error));
    });
  }

  static async listen(program: JoinedProgram, port: ListeningPort, network: TcpNetwork): Promise<DestinationProxy> {
    const at = port.announced;
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'EADDRINUSE' ? new PortTaken(program.place.name, at.address, at.port) : error),
      );
      server.listen({ host: at.address, port: at.port, exclusive: true }, resolve);
    });
    // A connection that cannot be accepted, such as for want of file descriptors, is refused.
    server.on('error', () => undefined);
    return new DestinationProxy(server, program, port, network);
  }

  private async accept(socket: Socket): Promise<void> {
    const { program, port, network } = this;
    const client = await this.ownerOf(socket);
    const link = network.passedLink(client, program, port);
    const upstream = socket.destroyed ? undefined : await opened(port.own);
    // Either program may have ended meanwhile.
    const isThere = [program, client ?? program].every((one) => network.joined.includes(one));
    if (upstream === undefined || socket.destroyed || !isThere) {
      reset(socket);
      reset(upstream);
      return;
    }
    const sockets = { client: socket, server: upstream };
    if (client === undefined || link !== undefined) network.pass(link ?? {}, client, program, sockets);
    else network.hold(client, program, port.settings, sockets);
    socket.resume();
  }

  private async ownerOf(socket: Socket): Promise<JoinedProgram | undefined> {
    const programs = this.network.joined;
    const ends = endsOf(socket);
    if (ends === undefined) return undefined;
    const bound = programs.find(({ place: { own } }) => own?.address === ends.remoteAddress);
    if (bound !== undefined) return bound;
    const name =
      (await connectingProcess(
        ends,
        programs.map((program) => [program.place.name, () => descendants(program)]),
      )) ??
      (await connectingProcess(
        ends,
        programs.map((program) => [program.place.name, () => marked(program)]),
      ));
    return programs.find(({ place }) => place.name === name);
  }

  /** No more connections; those that are there end with the program. */
  close(): Promise<void> {
    for (const socket of this.sockets) reset(socket);
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }
}

/** Undefined if the connection is over already. */
function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): SocketEnds | undefined {
  if (remoteAddress === undefined || remotePort === undefined) return undefined;
  if (localAddress === undefined || localPort === undefined) return undefined;
  return { remoteAddress, remotePort, localAddress, localPort };
}

const descendants = ({ child }: JoinedProgram): readonly number[] => (child === undefined ? [] : treeOf(child.pid));

/** Descendants that have left their parents still have the mark of their program in their environment. */
function marked({ io, place }: JoinedProgram): readonly number[] {
  const mark = `${MARK}=${io.shared(LiveSession.open).markOf(place.number, io.restarts)}`;
  return allProcesses().filter((pid) => hasEnvironment(pid, mark));
}
