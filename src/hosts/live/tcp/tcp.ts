import type { Connection, Connector, LiveProgram } from '../connector.ts';
import type { Child } from '../process/child.ts';
import { didYouMean } from '../../../kernel/options/did-you-mean.ts';
import { BadTcpOptions } from './bad-tcp-options.ts';
import type { FrameCodec } from './frame-codec.ts';
import type { JoinedProgram } from './joined-program.ts';
import { DestinationProxy } from './proxy.ts';
import { TcpNetwork } from './tcp-network.ts';
import { tcpSettings, type TcpOptions, type TcpSettings } from './tcp-options.ts';

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
    join: (program) => TcpConnection.join(program, settings),
  };
}

/** A name that is misspelled would hold connections that should pass. */
function checkNames({ pass }: TcpSettings, declared: readonly string[]): void {
  for (const name of pass.keys())
    if (!declared.includes(name))
      throw new BadTcpOptions(
        `tcp passes the connections of ${name}, and no process is called that${didYouMean(name, declared) || '.'}`,
        'Check the names in `pass`.',
      );
}

class TcpConnection implements Connection {
  private constructor(
    private readonly program: JoinedProgram,
    private readonly network: TcpNetwork,
    private readonly proxy: DestinationProxy | undefined,
  ) {}

  static async join({ io, place }: LiveProgram, settings: TcpSettings): Promise<TcpConnection> {
    checkNames(settings, [...io.declared.keys()]);
    const network = io.shared(TcpNetwork.open);
    const program: JoinedProgram = { io, place, settings };
    const announced = place.own && place.announced(place.name);
    const proxy = announced && (await DestinationProxy.listen(program, network, announced));
    network.join(program);
    return new TcpConnection(program, network, proxy);
  }

  started(child: Child): void {
    this.program.child = child;
  }

  deliver(message: unknown, from: string, lane: string | undefined): Promise<void> {
    return this.network.deliver(this.program, message, from, lane);
  }

  async close(): Promise<void> {
    this.network.leave(this.program);
    await this.proxy?.close();
  }
}
