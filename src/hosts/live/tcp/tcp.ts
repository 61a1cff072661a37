import type { Connection, Connector } from '../connector.ts';
import type { Child } from '../process/child.ts';
import { didYouMean } from '../../../text/did-you-mean.ts';
import { BadTcpOptions } from './bad-tcp-options.ts';
import type { FrameCodec } from './frame-codec.ts';
import { ownPort, type JoinedProgram } from './joined-program.ts';
import { DestinationProxy } from './proxy.ts';
import { TcpNetwork } from './tcp-network.ts';
import { tcpSettings, type Passing, type TcpOptions } from './tcp-options.ts';

/**
 * Messages are frames of TCP connections. A proxy stands before each program that listens. culprit holds the frames between two
 * programs and delivers them in the order of their connection, or passes the bytes through. Processes of the user that send to the
 * program get a connection of their own.
 */
export function tcp(codec: FrameCodec, options: TcpOptions = {}): Connector {
  const settings = tcpSettings(codec, options);
  return {
    announces: true,
    isDirect: true,
    join({ io, place }) {
      const port = ownPort(place, settings);
      return TcpConnection.join({ io, place, ports: port === undefined ? [] : [port], passing: settings });
    },
  };
}

/** A name that is misspelled would hold connections that should pass. */
function checkNames({ pass }: Passing, declared: readonly string[]): void {
  for (const name of pass.keys())
    if (!declared.includes(name))
      throw new BadTcpOptions(
        `tcp passes the connections of ${name}, and no process is called that${didYouMean(name, declared) || '.'}`,
        'Check the names in `pass`.',
      );
}

/** The connections of one life of a program, with a proxy before each port at which it listens. */
export class TcpConnection implements Connection {
  private constructor(
    private readonly program: JoinedProgram,
    private readonly network: TcpNetwork,
    private readonly proxies: readonly DestinationProxy[],
  ) {}

  static async join(program: JoinedProgram): Promise<TcpConnection> {
    const { io, passing, ports } = program;
    checkNames(passing, [...io.declared.keys()]);
    const network = io.shared(TcpNetwork.open);
    const proxies: DestinationProxy[] = [];
    try {
      for (const port of ports) proxies.push(await DestinationProxy.listen(program, port, network));
    } catch (error) {
      await closed(proxies);
      throw error;
    }
    network.join(program);
    return new TcpConnection(program, network, proxies);
  }

  started(child: Child): void {
    this.program.child = child;
  }

  deliver(message: unknown, from: string, lane: string | undefined): Promise<void> {
    return this.network.deliver(this.program, message, from, lane);
  }

  async close(): Promise<void> {
    this.network.leave(this.program);
    await closed(this.proxies);
  }
}

async function closed(proxies: readonly DestinationProxy[]): Promise<void> {
  for (const proxy of proxies) await proxy.close();
}
