import { parseFrame } from '../frames/ethernet.ts';
import type { Frame, Ipv4 } from '../frames/frame.ts';
import { hexNumber } from './flow-words.ts';
import type { StationNames } from './station-names.ts';

/** `ARP request h1 → broadcast`, `TCP h1 → h2 (10001 → 80 SYN)`; `frame` if the bytes are no Ethernet frame. */
export function frameWords(packet: unknown, names: StationNames): string {
  const frame = typeof packet === 'string' ? parseFrame(packet) : undefined;
  if (frame === undefined) return 'frame';
  const { kind, details = [] } = contentWords(frame);
  const more = [...details, ...(frame.vlan === undefined ? [] : [`VLAN ${frame.vlan.id}`])].join(', ');
  return `${kind} ${names.of(frame.dlSrc)} → ${names.of(frame.dlDst)}${more === '' ? '' : ` (${more})`}`;
}

interface Content {
  readonly kind: string;
  readonly details?: readonly string[];
}

function contentWords({ payload, dlType }: Frame): Content {
  switch (payload.kind) {
    case 'arp':
      return { kind: `ARP ${payload.op === 1 ? 'request' : payload.op === 2 ? 'reply' : `operation ${payload.op}`}` };
    case 'ipv4':
      return ipv4Words(payload);
    case 'lldp':
      return { kind: dlType === 0x8942 ? 'BDDP' : 'LLDP' };
    case 'opaque':
      return { kind: 'frame', details: [`type ${hexNumber(dlType)}`] };
  }
}

const pings: Readonly<Record<number, string>> = { 0: 'ping reply', 8: 'ping' };

function ipv4Words({ payload, nwProto }: Ipv4): Content {
  switch (payload.kind) {
    case 'icmp':
      return { kind: pings[payload.icmpType] ?? `ICMP type ${payload.icmpType}` };
    case 'tcp': {
      const flags = payload.flags.map((flag) => flag.toUpperCase());
      return { kind: 'TCP', details: [[payload.tpSrc, '→', payload.tpDst, ...flags].join(' ')] };
    }
    case 'udp':
      return { kind: 'UDP', details: [`${payload.tpSrc} → ${payload.tpDst}`] };
    case 'opaque':
      return { kind: 'IPv4', details: [`protocol ${nwProto}`] };
  }
}
