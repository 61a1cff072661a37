import type { PassingRule } from '../../kernel/declaration.ts';
import { isDiscovery } from '../fingerprint/packet-kind.ts';
import type { NetworkOptions } from './options.ts';

/**
 * What replays of a network do not compare with the recording: keepalives, which come by the clock of a controller, and frames, whose order
 * on different links is a matter of chance. A network in which only keepalives happen is quiet.
 */
export const passingIn = ({ passKeepalives, passFrames = true }: NetworkOptions): readonly PassingRule<unknown>[] => [
  { name: 'keepalives', includes: isKeepalive, when: whenOf(passKeepalives), isBackground: true },
  { name: 'frames', includes: isDataFrame, when: passFrames ? 'untouchedNearby' : 'never' },
];

const whenOf = (passes: boolean | undefined): PassingRule['when'] =>
  passes === undefined ? 'untouched' : passes ? 'always' : 'never';

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (message: unknown): Fields =>
  typeof message === 'object' && message !== null ? (message as Fields) : {};

/** An echo, or a packet that discovers links: on its way from a controller, over a link, or to a controller. */
function isKeepalive(message: unknown): boolean {
  const { type, data, packet } = fieldsOf(message);
  if (type === 'packet_in' || type === 'packet_out') return isDiscovery(data);
  return type === 'frame' ? isDiscovery(packet) : type === 'echo_request' || type === 'echo_reply';
}

/** Any other frame on a link. */
const isDataFrame = (message: unknown): boolean => fieldsOf(message)['type'] === 'frame' && !isKeepalive(message);
