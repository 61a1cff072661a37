import fc from 'fast-check';
import { matchFields, type Action, type Frame, type Match } from 'culprit/networks';
import { arbitraryFrame } from './arbitrary-frame.ts';
import { dotted, ipv4, mac, u16, u8 } from './arbitrary-fields.ts';

/** Random matches and actions for the tests of a switch. */

const prefix = fc
  .tuple(fc.nat(0xffffffff), fc.integer({ min: 1, max: 32 }))
  .map(([address, length]) => prefixOf(address, length));

function prefixOf(address: number, length: number): string {
  if (length === 32) return dotted(address);
  return `${dotted(((address >>> (32 - length)) << (32 - length)) >>> 0)}/${length}`;
}

/** Any match, also with fields that the standard ignores. */
const anyMatch: fc.Arbitrary<Match> = fc.record(
  {
    inPort: fc.integer({ min: 1, max: 3 }),
    dlSrc: mac,
    dlDst: mac,
    dlVlan: fc.oneof(fc.constant('none' as const), fc.nat(4095)),
    dlVlanPcp: fc.nat(7),
    dlType: fc.constantFrom(0x0800, 0x0806, 0x05ff, 0x88cc),
    nwTos: u8.map((tos) => tos & 0xfc),
    nwProto: fc.constantFrom(0, 1, 2, 6, 17),
    nwSrc: prefix,
    nwDst: prefix,
    tpSrc: u16,
    tpDst: u16,
  },
  { requiredKeys: [] },
);

/** The match that is for packets with the same headers as this frame only. */
function exactMatch({ dlSrc, dlDst, vlan, dlType, payload }: Frame): Match {
  const link = { dlSrc, dlDst, dlVlan: vlan?.id ?? 'none', dlVlanPcp: vlan?.pcp ?? 0, dlType } as const;
  if (payload.kind === 'arp') return { ...link, nwProto: payload.op & 0xff, nwSrc: payload.spa, nwDst: payload.tpa };
  if (payload.kind !== 'ipv4') return link;
  const { nwProto, nwSrc, nwDst, payload: inner } = payload;
  const network = { ...link, nwTos: payload.nwTos & 0xfc, nwProto, nwSrc, nwDst };
  if (inner.kind === 'icmp') return { ...network, tpSrc: inner.icmpType, tpDst: inner.icmpCode };
  return inner.kind === 'opaque' ? network : { ...network, tpSrc: inner.tpSrc, tpDst: inner.tpDst };
}

/** A frame, and a match that is often for it: some of its fields, and at most one other field. */
export const frameAndMatch: fc.Arbitrary<{ readonly frame: Frame; readonly match: Match }> = fc
  .record({
    frame: arbitraryFrame,
    kept: fc.subarray([...matchFields]),
    other: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.constantFrom(...matchFields)),
    others: anyMatch,
    bits: fc.integer({ min: 1, max: 32 }),
  })
  .map(({ frame, kept, other, others, bits }) => {
    const exact: Match = { inPort: 1, ...exactMatch(frame) };
    const fields = kept.map((name) => [name, name === other ? others[name] : shortened(exact[name], bits)]);
    return { frame, match: Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Match };
  });

const shortened = (value: Match[keyof Match], bits: number): Match[keyof Match] =>
  typeof value === 'string' && value.includes('.')
    ? prefixOf(
        value.split('.').reduce((address, octet) => address * 256 + Number(octet), 0),
        bits,
      )
    : value;

const typed = <T extends Action['type']>(type: T): { type: fc.Arbitrary<T> } => ({ type: fc.constant(type) });

/** An action that changes packets. */
export const setField: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ ...typed('set_vlan_vid'), vlanVid: fc.nat(4095) }),
  fc.record({ ...typed('set_vlan_pcp'), vlanPcp: fc.nat(7) }),
  fc.record(typed('strip_vlan')),
  fc.record({ type: fc.constantFrom('set_dl_src' as const, 'set_dl_dst' as const), dlAddr: mac }),
  fc.record({ type: fc.constantFrom('set_nw_src' as const, 'set_nw_dst' as const), nwAddr: ipv4 }),
  fc.record({ ...typed('set_nw_tos'), nwTos: fc.nat(63).map((tos) => tos * 4) }),
  fc.record({ type: fc.constantFrom('set_tp_src' as const, 'set_tp_dst' as const), tpPort: u16 }),
);
