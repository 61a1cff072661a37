import { ipv4Number } from '../bytes/addresses.ts';
import { matchFields } from '../openflow/match-fields.ts';
import type { Ipv4Prefix, Match } from '../openflow/messages.ts';
import { TOS_BITS, type PacketFields } from './packet-fields.ts';

const IPV4 = 0x0800;
const ARP = 0x0806;
/** ICMP, TCP and UDP. */
const withPorts: readonly (number | undefined)[] = [1, 6, 17];

/**
 * The match without the fields that OpenFlow 1.0.1 ignores: those of the network layer unless it is for IPv4 or ARP, the
 * ports unless it is for ICMP, TCP or UDP, and the priority of frames without a tag. Two matches with the same meaning are
 * equal.
 */
export function normalMatch(match: Match): Match {
  const { inPort, dlSrc, dlDst, dlVlan, dlVlanPcp, dlType } = match;
  return {
    ...(inPort === undefined ? {} : { inPort }),
    ...(dlSrc === undefined ? {} : { dlSrc }),
    ...(dlDst === undefined ? {} : { dlDst }),
    ...(dlVlan === undefined ? {} : { dlVlan: dlVlan === 'none' ? dlVlan : dlVlan & 0xfff }),
    ...(dlVlanPcp === undefined || dlVlan === 'none' ? {} : { dlVlanPcp: dlVlanPcp & 7 }),
    ...(dlType === undefined ? {} : { dlType }),
    ...(dlType === IPV4 || dlType === ARP ? networkPart(match) : {}),
  };
}

function networkPart({ dlType, nwTos, nwProto, nwSrc, nwDst, tpSrc, tpDst }: Match): Match {
  const isIpv4 = dlType === IPV4;
  const hasPorts = isIpv4 && withPorts.includes(nwProto);
  return {
    ...(nwTos === undefined || !isIpv4 ? {} : { nwTos: nwTos & TOS_BITS }),
    ...(nwProto === undefined ? {} : { nwProto }),
    ...(nwSrc === undefined ? {} : { nwSrc }),
    ...(nwDst === undefined ? {} : { nwDst }),
    ...(tpSrc === undefined || !hasPorts ? {} : { tpSrc }),
    ...(tpDst === undefined || !hasPorts ? {} : { tpDst }),
  };
}

/** Whether a match, as it was sent, has no wildcard: its entry then has the highest priority. */
export const isExact = (match: Match): boolean =>
  matchFields.every((field) => match[field] !== undefined) && bitsOf(match.nwSrc) === 32 && bitsOf(match.nwDst) === 32;

const addressFields = ['nwSrc', 'nwDst'] as const;
type PlainField = Exclude<(typeof matchFields)[number], (typeof addressFields)[number]>;
/** The fields that are compared as a whole. */
export const plainFields = matchFields.filter((field): field is PlainField => field !== 'nwSrc' && field !== 'nwDst');

/** Whether a packet is one of those that a normal match is for. */
export function matches(match: Match, packet: PacketFields): boolean {
  for (const field of plainFields) if (match[field] !== undefined && match[field] !== packet[field]) return false;
  // Frames without a tag have no priority to compare with.
  if (match.dlVlanPcp !== undefined && packet.dlVlan === 'none') return false;
  return isWithin(packet.nwSrc, match.nwSrc) && isWithin(packet.nwDst, match.nwDst);
}

/** Whether a normal match is for all packets that the other one is for. */
export const covers = (match: Match, other: Match): boolean =>
  plainFields.every((field) => match[field] === undefined || match[field] === other[field]) &&
  addressFields.every(
    (field) => bitsOf(match[field]) <= bitsOf(other[field]) && isWithin(addressOf(other[field]), match[field]),
  );

/** Whether there are packets that two normal matches are both for. */
export const overlaps = (one: Match, other: Match): boolean =>
  plainFields.every((field) => one[field] === undefined || other[field] === undefined || one[field] === other[field]) &&
  addressFields.every(
    (field) => isWithin(addressOf(other[field]), one[field]) || isWithin(addressOf(one[field]), other[field]),
  ) &&
  !(one.dlVlan === 'none' && other.dlVlanPcp !== undefined) &&
  !(other.dlVlan === 'none' && one.dlVlanPcp !== undefined);

export const isSameMatch = (one: Match, other: Match): boolean =>
  matchFields.every((field) => one[field] === other[field]);

/** Without a prefix, every address is within. */
function isWithin(address: number, prefix: Ipv4Prefix | undefined): boolean {
  if (prefix === undefined) return true;
  const bits = bitsOf(prefix);
  return bits === 0 || (address ^ addressOf(prefix)) >>> (32 - bits) === 0;
}

/** How many bits of an address a prefix has. */
export function bitsOf(prefix: Ipv4Prefix | undefined): number {
  if (prefix === undefined) return 0;
  const slash = prefix.indexOf('/');
  return slash === -1 ? 32 : Number(prefix.slice(slash + 1));
}

export function addressOf(prefix: Ipv4Prefix | undefined): number {
  if (prefix === undefined) return 0;
  const slash = prefix.indexOf('/');
  return ipv4Number(prefix, slash === -1 ? undefined : slash);
}
