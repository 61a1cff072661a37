import { EVERYTHING, meet, withSet, type Cube } from './cube.ts';
import {
  ALL,
  ARP,
  DL_TYPE,
  ICMP,
  IPV4,
  NO_TAG,
  NW_PROTO,
  NW_SRC,
  NW_DST,
  NW_TOS,
  PCP,
  TAGGED,
  TCP,
  TP_DST,
  TP_SRC,
  UDP,
  VLAN,
} from './fields.ts';
import { difference, only, range, setOf, type ValueSet } from './value-set.ts';

/** The headers of real frames, by the fields that they have. A field that a frame lacks is 0. */
const ZERO = only(0);
const cube = (...sets: readonly (readonly [field: number, set: ValueSet])[]): Cube =>
  sets.reduce<Cube>((made, [field, set]) => withSet(made, field, set), EVERYTHING);
const noPorts = [
  [TP_SRC, ZERO],
  [TP_DST, ZERO],
] as const;
const ipv4 = [DL_TYPE, only(IPV4)] as const;
const withPorts = setOf([ICMP, TCP, UDP]);
const BYTE = range(0, 255);

const contents: readonly Cube[] = [
  cube(ipv4, [NW_PROTO, only(ICMP)], [TP_SRC, BYTE], [TP_DST, BYTE]),
  cube(ipv4, [NW_PROTO, setOf([TCP, UDP])]),
  cube(ipv4, [NW_PROTO, difference(ALL[NW_PROTO] as ValueSet, withPorts)], ...noPorts),
  cube([DL_TYPE, only(ARP)], [NW_TOS, ZERO], ...noPorts),
  cube(
    [DL_TYPE, difference(ALL[DL_TYPE] as ValueSet, setOf([IPV4, ARP]))],
    [NW_TOS, ZERO],
    [NW_PROTO, ZERO],
    [NW_SRC, ZERO],
    [NW_DST, ZERO],
    ...noPorts,
  ),
];
const tags: readonly Cube[] = [cube([VLAN, only(NO_TAG)], [PCP, ZERO]), cube([VLAN, TAGGED])];

/** The parts of the headers that are those of frames, the most usual frames first. */
export function* framesIn(headers: Cube): Iterable<Cube> {
  for (const tag of tags) {
    for (const content of contents) {
      const tagged = meet(headers, tag);
      const frames = tagged && meet(tagged, content);
      if (frames !== undefined) yield frames;
    }
  }
}

/** Whether a frame can have one of these headers. */
export function isFrame(headers: Cube): boolean {
  for (const _ of framesIn(headers)) return true;
  return false;
}
