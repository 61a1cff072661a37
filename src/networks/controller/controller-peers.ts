import { raw } from '../../hosts/live/tcp/codecs/raw.ts';
import type { FrameCodec } from '../../hosts/live/tcp/frame-codec.ts';
import { tcpSettings, type TcpSettings } from '../../hosts/live/tcp/tcp-options.ts';
import { checked, field, object } from '../../kernel/options/fields.ts';
import { BadSystem } from '../../system/check-definition.ts';

/** How other programs connect to a controller, at another port than that of OpenFlow. */
export interface ControllerPeers {
  /** The port at which it listens for them. */
  readonly port: number;
  /** Reads what arrives at this port: every message is held and delivered. Without it, bytes pass, and only a cut holds them. */
  readonly codec?: FrameCodec;
}

const peersField = object<ControllerPeers>(
  'an object such as { port: 7000, codec: jsonLines() }',
  {
    port: field(
      'a port from 1 to 65535',
      (value) => Number.isInteger(value) && (value as number) > 0 && (value as number) < 65_536,
    ),
    codec: field('a codec, such as jsonLines()', (value) => typeof value === 'object' && value !== null),
  },
  ['port'],
);

/** A port for other programs, and how its connections are read. */
export interface PeerPort {
  readonly port: number;
  readonly settings: TcpSettings;
}

/** Throws one sentence about the first mistake. */
export function peerPort(peers: ControllerPeers, openflowPort: number): PeerPort {
  const { port, codec } = checked(peers, peersField, {
    who: 'the option peers of controller',
    noun: 'field',
    error: BadSystem,
  });
  if (port === openflowPort)
    throw new BadSystem(
      `the port ${port} of a controller cannot be for switches and for peers.`,
      'Give `peers` another port, at which the program listens for other controllers.',
    );
  return { port, settings: codec === undefined ? tcpSettings(raw(), { pass: true }) : tcpSettings(codec, {}) };
}
