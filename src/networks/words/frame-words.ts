import { parseFrame } from '../frames/ethernet.ts';
import type { Frame, Ipv4 } from '../frames/frame.ts';
import { hexNumber } from './flow-words.ts';
import type { StationNames } from './station-names.ts';

/** `frame h1 → h2 (ARP request)`; `frame` if the bytes are no Ethernet frame. */
export function frameWords(packet: unknown, names: StationNames): string {
  const frame = typeof packet === 'string' ? parseFrame(packet) : undefined;
  if (frame === undefined) return 'frame';
  const vlan = frame.vlan === undefined ? '' : `, VLAN ${frame.vlan.id}`;
  return `frame ${names.of(frame.dlSrc)} → ${names.of(frame.dlDst)} (${contentWords(frame)}${vlan})`;
}

function contentWords({ payload, dlType }: Frame): string {
  switch (payload.kind) {
    case 'arp':
      return `ARP ${payload.op === 1 ? 'request' : payload.op === 2 ? 'reply' : `operation ${payload.op}`}`;
    case 'ipv4':
      return ipv4Words(payload);
    case 'lldp':
      return dlType === 0x8942 ? 'BDDP' : 'LLDP';
    case 'opaque':
      return `type ${hexNumber(dlType)}`;
  }
}

function ipv4Words({ payload, nwProto }: Ipv4): string {
  switch (payload.kind) {
    case 'icmp':
      return `ICMP ${payload.icmpType === 8 ? 'echo request' : payload.icmpType === 0 ? 'echo reply' : `type ${payload.icmpType}`}`;
    case 'tcp':
      return ['TCP', payload.tpSrc, '→', payload.tpDst, ...payload.flags.map((flag) => flag.toUpperCase())].join(' ');
    case 'udp':
      return `UDP ${payload.tpSrc} → ${payload.tpDst}`;
    case 'opaque':
      return `IPv4 protocol ${nwProto}`;
  }
}
