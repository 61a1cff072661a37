import type { Connector } from '../../hosts/live/connector.ts';
import type { FrameCodec } from '../../hosts/live/tcp/frame-codec.ts';
import { raw } from '../../hosts/live/tcp/codecs/raw.ts';
import { tcp } from '../../hosts/live/tcp/tcp.ts';
import { field, object, type Field } from '../../kernel/options/fields.ts';

/** The connections of a controller with other programs. */
export interface ControllerPeers {
  /** The port at which it listens for them; left out if it only connects. */
  readonly port?: number;
  /** Reads what arrives at this port: every message is held and delivered. Without it, bytes pass, and only a cut holds them. */
  readonly codec?: FrameCodec;
}

export const peersField: Field = object<ControllerPeers>('an object such as { port: 7000, codec: jsonLines() }', {
  port: field(
    'a port from 1 to 65535',
    (value) => Number.isInteger(value) && (value as number) > 0 && (value as number) < 65_536,
  ),
  codec: field('a codec, such as jsonLines()', (value) => typeof value === 'object' && value !== null),
});

/** Joins a controller to other programs, at another port than that of OpenFlow. */
export function peerConnector({ port, codec }: ControllerPeers): Connector {
  const connector = tcp(codec ?? raw(), port !== undefined && codec === undefined ? { pass: true } : {});
  const at = <E extends { readonly address: string }>(endpoint: E | undefined) =>
    endpoint === undefined || port === undefined ? undefined : { address: endpoint.address, port };
  return {
    ...connector,
    announces: port !== undefined,
    join: ({ io, place }) =>
      connector.join({
        io,
        place: { ...place, own: at(place.own), announced: (process) => at(place.announced(process)) },
      }),
  };
}
