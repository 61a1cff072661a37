import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frameAndMatch } from '../../../test/twins/networks/arbitrary-flows.ts';
import { slowMatches } from '../../../test/twins/networks/slow-switch.ts';
import { ipv4Number } from '../bytes/addresses.ts';
import { buildFrame } from '../frames/ethernet.ts';
import type { Match } from '../openflow/messages.ts';
import { covers, isExact, isSameMatch, matches, normalMatch, overlaps } from './matching.ts';
import { fieldsOf, type PacketFields } from './packet-fields.ts';

const sampled = (seed: number) => fc.sample(frameAndMatch, { numRuns: 5000, seed });
const fields = (packet: string): PacketFields => fieldsOf(Buffer.from(packet, 'hex'), 1) as PacketFields;

test('random matches are for the same frames as those of the slow switch', () => {
  let hits = 0;
  for (const { frame, match } of sampled(1)) {
    const isFor = matches(normalMatch(match), fields(buildFrame(frame)));
    expect({ match, frame, isFor }).toEqual({ match, frame, isFor: slowMatches(match, frame, 1) });
    if (isFor) hits++;
  }
  expect(hits).toBe(3925);
});

/** A packet that both of two overlapping matches are for. */
function shared(one: Match, other: Match): PacketFields {
  const both = { ...one, ...other };
  const address = (field: 'nwSrc' | 'nwDst'): number => {
    const [longer = '0.0.0.0'] = [one[field], other[field]]
      .filter((prefix) => prefix !== undefined)
      .sort((a, b) => Number(b.split('/')[1] ?? 32) - Number(a.split('/')[1] ?? 32));
    return ipv4Number(longer.split('/')[0]);
  };
  return {
    inPort: both.inPort ?? 1,
    dlSrc: both.dlSrc ?? '',
    dlDst: both.dlDst ?? '',
    dlVlan: both.dlVlan ?? 5,
    dlVlanPcp: both.dlVlanPcp ?? 0,
    dlType: both.dlType ?? 0,
    nwTos: both.nwTos ?? 0,
    nwProto: both.nwProto ?? 0,
    nwSrc: address('nwSrc'),
    nwDst: address('nwDst'),
    tpSrc: both.tpSrc ?? 0,
    tpDst: both.tpDst ?? 0,
  };
}

/** Whether the answers about two matches agree with the packets of the sample, and with a packet made for both. */
function agreesWithPackets(one: Match, other: Match, packets: readonly PacketFields[]): boolean {
  const [isCovered, isShared] = [covers(one, other), overlaps(one, other)];
  const ofOther = packets.filter((packet) => matches(other, packet));
  const made = shared(one, other);
  return (
    (!isCovered || ofOther.every((packet) => matches(one, packet))) &&
    (isShared ? matches(one, made) && matches(other, made) : !ofOther.some((packet) => matches(one, packet))) &&
    overlaps(other, one) === isShared &&
    (isCovered && covers(other, one)) === isSameMatch(one, other)
  );
}

test('one match covers or overlaps another as their packets say', () => {
  const samples = sampled(2).slice(0, 120);
  const packets = samples.map(({ frame }) => fields(buildFrame(frame)));
  const all = samples.map(({ match }) => normalMatch(match));
  const pairs = all.flatMap((one) => all.map((other) => [one, other] as const));
  expect(pairs.filter(([one, other]) => !agreesWithPackets(one, other, packets))).toEqual([]);
  expect({
    covers: pairs.filter(([one, other]) => covers(one, other)).length,
    overlaps: pairs.filter(([one, other]) => overlaps(one, other)).length,
  }).toEqual({ covers: 3737, overlaps: 9374 });
});

describe('a match in normal form', () => {
  const network: Match = { nwTos: 8, nwProto: 6, nwSrc: '10.0.0.0/8', nwDst: '10.0.0.1', tpSrc: 1, tpDst: 2 };

  test.each<[string, Match, Match]>([
    ['nothing of the network without a type', network, {}],
    ['nothing of the network for another type', { dlType: 0x88cc, ...network }, { dlType: 0x88cc }],
    [
      'no type of service and no ports for ARP',
      { dlType: 0x0806, ...network },
      { dlType: 0x0806, nwProto: 6, nwSrc: '10.0.0.0/8', nwDst: '10.0.0.1' },
    ],
    [
      'no ports for another protocol',
      { dlType: 0x0800, ...network, nwProto: 47 },
      { dlType: 0x0800, nwTos: 8, nwProto: 47, nwSrc: '10.0.0.0/8', nwDst: '10.0.0.1' },
    ],
    ['everything for TCP', { dlType: 0x0800, ...network }, { dlType: 0x0800, ...network }],
    ['no priority without a tag', { dlVlan: 'none', dlVlanPcp: 3 }, { dlVlan: 'none' }],
    ['a priority of any tag', { dlVlanPcp: 3 }, { dlVlanPcp: 3 }],
    [
      'only bits that the fields of a packet have',
      { dlVlan: 0x1005, dlVlanPcp: 9, dlType: 0x0800, nwTos: 9 },
      { dlVlan: 5, dlVlanPcp: 1, dlType: 0x0800, nwTos: 8 },
    ],
  ])('has %s', (_what, match, normal) => {
    expect(normalMatch(match)).toEqual(normal);
    expect(normalMatch(normal)).toEqual(normal);
  });

  test('with a priority and no VLAN does not overlap frames without a tag', () => {
    expect(overlaps({ dlVlan: 'none' }, { dlVlanPcp: 0 })).toBe(false);
    expect(covers({ dlVlanPcp: 0 }, { dlVlan: 'none' })).toBe(false);
  });
});

test('a match is exact if it was sent without a wildcard', () => {
  const exact: Match = {
    inPort: 1,
    dlSrc: '00:00:5e:00:53:01',
    dlDst: '00:00:5e:00:53:02',
    dlVlan: 'none',
    dlVlanPcp: 0,
    dlType: 0x88cc,
    nwTos: 0,
    nwProto: 0,
    nwSrc: '0.0.0.0',
    nwDst: '0.0.0.0',
    tpSrc: 0,
    tpDst: 0,
  };
  expect(isExact(exact)).toBe(true);
  expect(isExact({ ...exact, nwDst: '10.0.0.0/31' })).toBe(false);
  expect(isExact(normalMatch(exact))).toBe(false);
});
