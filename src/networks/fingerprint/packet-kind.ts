import { parseFrame } from '../frames/ethernet.ts';

const ARP = 0x0806;
const LLDP = 0x88cc;
const BDDP = 0x8942;

/**
 * What counts of a packet: of IPv4 both pairs of addresses, of others that they are LLDP or ARP, or their type. Bytes without an Ethernet
 * header count as they are.
 */
export function packetKind(packet: unknown): unknown {
  const frame = typeof packet === 'string' ? parseFrame(packet) : undefined;
  if (frame === undefined) return packet;
  const { dlType, dlSrc, dlDst, payload } = frame;
  if (dlType === LLDP) return 'lldp';
  if (dlType === ARP) return 'arp';
  return payload.kind === 'ipv4' ? [dlSrc, dlDst, payload.nwSrc, payload.nwDst] : dlType;
}

/** Whether controllers discover links with the packet. */
export function isDiscovery(packet: unknown): boolean {
  const dlType = typeof packet === 'string' ? parseFrame(packet)?.dlType : undefined;
  return dlType === LLDP || dlType === BDDP;
}
