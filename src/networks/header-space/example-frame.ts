import { ipv4Text, macAt } from '../bytes/addresses.ts';
import type { Hex, MacAddress } from '../bytes/data.ts';
import { buildFrame } from '../frames/ethernet.ts';
import type { Frame, Ipv4 } from '../frames/frame.ts';
import type { Cube } from './cube.ts';
import {
  ARP,
  DL_DST,
  DL_SRC,
  DL_TYPE,
  ICMP,
  IPV4,
  NW_DST,
  NW_PROTO,
  NW_SRC,
  NW_TOS,
  PCP,
  TCP,
  TP_DST,
  TP_SRC,
  UDP,
  VLAN,
} from './fields.ts';
import { framesIn } from './shapes.ts';
import { has, type ValueSet } from './value-set.ts';

/** Values that make a frame look familiar, where the headers leave a choice. Addresses are those for examples. */
const usual = new Map([
  [DL_SRC, 0x00005e005301],
  [DL_DST, 0x00005e005302],
  [DL_TYPE, 0x88b5],
  [NW_SRC, 0xc0000201],
  [NW_DST, 0xc0000202],
  [NW_PROTO, TCP],
  [TP_SRC, 8],
  [TP_DST, 0],
]);

/** The bytes of a frame with one of these headers. */
export function exampleFrame(headers: Cube): Hex {
  for (const cube of framesIn(headers)) {
    return buildFrame(frameWith((field) => valueFor(field, cube[field] as ValueSet)));
  }
  throw new Error('no frame has these headers');
}

function valueFor(field: number, set: ValueSet): number {
  const wanted = usual.get(field);
  return wanted !== undefined && has(set, wanted) ? wanted : (set[0] as number);
}

function frameWith(value: (field: number) => number): Frame {
  const id = value(VLAN);
  return {
    dlDst: macText(value(DL_DST)),
    dlSrc: macText(value(DL_SRC)),
    ...(id < 0 ? {} : { vlan: { id, pcp: value(PCP), dei: false } }),
    dlType: value(DL_TYPE) < 0x0600 ? SHORT.length / 2 : value(DL_TYPE),
    payload: payloadWith(value),
  };
}

/** The contents of a frame of 802.3, whose type is its length. */
const SHORT = '424203'.padEnd(92, '0');

function payloadWith(value: (field: number) => number): Frame['payload'] {
  const [nwSrc, nwDst, nwProto] = [ipv4Text(value(NW_SRC)), ipv4Text(value(NW_DST)), value(NW_PROTO)];
  switch (value(DL_TYPE)) {
    case IPV4: {
      const fixed = { ttl: 64, id: 0, flags: [], fragmentOffset: 0 };
      return {
        kind: 'ipv4',
        nwSrc,
        nwDst,
        nwTos: value(NW_TOS) << 2,
        nwProto,
        ...fixed,
        payload: transportWith(value),
      };
    }
    case ARP: {
      const [sha, tha] = [macText(value(DL_SRC)), macText(value(DL_DST))];
      return { kind: 'arp', op: nwProto, sha, spa: nwSrc, tha, tpa: nwDst };
    }
    default:
      return { kind: 'opaque', data: SHORT };
  }
}

function transportWith(value: (field: number) => number): Ipv4['payload'] {
  const [tpSrc, tpDst] = [value(TP_SRC), value(TP_DST)];
  switch (value(NW_PROTO)) {
    case ICMP: {
      const isEcho = tpSrc === 0 || tpSrc === 8;
      const common = { kind: 'icmp', icmpType: tpSrc, icmpCode: tpDst } as const;
      return isEcho ? { ...common, echo: { id: 1, seq: 1 }, data: '' } : { ...common, data: '00000000' };
    }
    case TCP:
      return { kind: 'tcp', tpSrc, tpDst, seq: 0, ack: 0, flags: ['syn'], window: 0, urgent: 0, data: '' };
    case UDP:
      return { kind: 'udp', tpSrc, tpDst, data: '' };
    default:
      return { kind: 'opaque', data: '' };
  }
}

function macText(number: number): MacAddress {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntBE(number, 0, 6);
  return macAt(bytes, 0);
}
