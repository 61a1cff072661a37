import fc from 'fast-check';
import type { Frame } from 'culprit/networks';
import { bits, hex, ipv4, mac, u16, u32, u8 } from './arbitrary-fields.ts';

/** Random frames of every kind. Each is what its bytes are parsed to. */

const data = hex({ max: 60 });
const longData = hex({ min: 4, max: 60 });
const vlan = fc.record({ id: fc.nat(4095), pcp: fc.nat(7), dei: fc.boolean() });
/** Header options of 4 to 40 bytes. */
const options = fc.integer({ min: 1, max: 10 }).chain((words) => hex({ min: words * 4, max: words * 4 }));
const optional = <T>(key: string, value: fc.Arbitrary<T>): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    value.map((given) => ({ [key]: given })),
  );

/** All fields of the parts. */
const merged = (...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  fc.tuple(...parts).map((each): object => Object.assign({}, ...each) as object);

const ports = { tpSrc: u16, tpDst: u16 };
const tcpFlags = bits(['fin', 'syn', 'rst', 'psh', 'ack', 'urg', 'ece', 'cwr', 'ns'] as const, 12);

/** By the number of their protocol. */
const transports: readonly fc.Arbitrary<object>[] = [
  fc.record({
    nwProto: fc.constant(1),
    payload: fc.oneof(
      fc.record({
        kind: fc.constant('icmp'),
        icmpType: fc.constantFrom(0, 8),
        icmpCode: u8,
        echo: fc.record({ id: u16, seq: u16 }),
        data,
      }),
      fc.record({
        kind: fc.constant('icmp'),
        icmpType: u8.filter((type) => type !== 0 && type !== 8),
        icmpCode: u8,
        data,
      }),
    ),
  }),
  fc.record({
    nwProto: fc.constant(6),
    payload: merged(
      fc.record({
        kind: fc.constant('tcp'),
        ...ports,
        seq: u32,
        ack: u32,
        flags: tcpFlags,
        window: u16,
        urgent: u16,
        data,
      }),
      optional('options', options),
    ),
  }),
  fc.record({ nwProto: fc.constant(17), payload: fc.record({ kind: fc.constant('udp'), ...ports, data }) }),
  fc.record({
    nwProto: fc.constantFrom(2, 47, 89, 132),
    payload: fc.record({ kind: fc.constant('opaque'), data }),
  }),
];

const ipv4Header = merged(
  fc.record({ kind: fc.constant('ipv4'), nwSrc: ipv4, nwDst: ipv4, nwTos: u8, ttl: u8, id: u16 }),
  optional('options', options),
);
const whole = fc.record({ flags: fc.subarray(['dont_fragment', 'bit2']), fragmentOffset: fc.constant(0) });
const fragment = fc.record({
  nwProto: u8,
  flags: fc.constant(['more_fragments']),
  fragmentOffset: fc.nat(0x1fff),
  payload: fc.record({ kind: fc.constant('opaque'), data }),
});
const packet = fc.oneof(
  ...transports.map((transport) => merged(ipv4Header, whole, transport)),
  merged(ipv4Header, fragment),
);

const identified = fc.record({ subtype: u8, id: hex({ max: 20 }) });
const lldp = fc.record({
  kind: fc.constant('lldp'),
  chassisId: identified,
  portId: identified,
  ttl: u16,
  tlvs: fc.array(fc.record({ type: fc.integer({ min: 1, max: 127 }), value: data }), { maxLength: 4 }),
});
const arp = fc.record({ kind: fc.constant('arp'), op: u16, sha: mac, spa: ipv4, tha: mac, tpa: ipv4 });
const opaque = fc.record({ kind: fc.constant('opaque'), data });

/** Only where the length of the payload is known can bytes follow that are padding. */
const contents = fc.oneof(
  merged(fc.record({ dlType: fc.constant(0x0806), payload: arp }), optional('padding', longData)),
  merged(fc.record({ dlType: fc.constant(0x0800), payload: packet }), optional('padding', longData)),
  merged(fc.record({ dlType: fc.constantFrom(0x88cc, 0x8942), payload: lldp }), optional('padding', longData)),
  fc.record({ dlType: fc.constantFrom(0x86dd, 0x8847, 0x05dc, 0x1234), payload: opaque }),
);

/** The records have the fields of a frame, which their types do not say. */
export const arbitraryFrame: fc.Arbitrary<Frame> = merged(
  fc.record({ dlDst: mac, dlSrc: mac }),
  optional('vlan', vlan),
  contents,
) as fc.Arbitrary<Frame>;
