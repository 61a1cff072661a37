import type { Match } from '../openflow/messages.ts';
import type { PacketFields } from '../switch/packet-fields.ts';
import { ALL, FIELD_COUNT, macNumber, NO_TAG, portNumber, setsOfMatch } from './fields.ts';
import { difference, has, intersection, type ValueSet } from './value-set.ts';

/**
 * A box of header space: the headers whose fields each have a value of its set. A field without a constraint has the set in
 * `ALL` itself, so that it is recognized by identity. A field that a frame lacks is 0 in its header. No match looks at
 * it: a match in normal form constrains the fields that allow it, too.
 */
export type Cube = readonly ValueSet[];

export const EVERYTHING: Cube = ALL;

/** The headers that a match in normal form is for. Empty if no frame has such values. */
export function cubeOf(match: Match): Cube | undefined {
  const cube = ALL.slice();
  const sets = setsOfMatch(match);
  for (let field = 0; field < FIELD_COUNT; field++) {
    const set = sets[field];
    if (set === undefined) continue;
    const values = intersection(set, ALL[field] as ValueSet);
    if (values.length === 0) return undefined;
    cube[field] = values;
  }
  return cube;
}

export const isConstrained = (cube: Cube, field: number): boolean => cube[field] !== ALL[field];

/** The cube with another set in one field. */
export function withSet(cube: Cube, field: number, set: ValueSet): Cube {
  const copy = cube.slice();
  copy[field] = set;
  return copy;
}

/** The cube, of which only these values of a field are left; undefined if there are none. */
export function narrowed(cube: Cube, field: number, set: ValueSet): Cube | undefined {
  const before = cube[field] as ValueSet;
  const both = intersection(before, set);
  if (both === before) return cube;
  return both.length === 0 ? undefined : withSet(cube, field, both);
}

/** The headers of both; undefined if there are none. */
export function meet(one: Cube, other: Cube): Cube | undefined {
  let result: Cube | undefined = one;
  for (let field = 0; field < FIELD_COUNT && result !== undefined; field++) {
    if (isConstrained(other, field)) result = narrowed(result, field, other[field] as ValueSet);
  }
  return result;
}

/** The headers of the first that the second does not have, as cubes without overlap. */
export function without(one: Cube, other: Cube): readonly Cube[] {
  if (meet(one, other) === undefined) return [one];
  const pieces: Cube[] = [];
  let rest = one;
  for (let field = 0; field < FIELD_COUNT; field++) {
    if (!isConstrained(other, field)) continue;
    const [set, taken] = [rest[field] as ValueSet, other[field] as ValueSet];
    const left = difference(set, taken);
    if (left.length === 0) continue;
    pieces.push(withSet(rest, field, left));
    rest = withSet(rest, field, intersection(set, taken));
  }
  return pieces;
}

/** The headers of the first cubes that none of the second has. */
export const withoutAll = (cubes: readonly Cube[], others: readonly Cube[]): readonly Cube[] =>
  others.reduce((left, other) => left.flatMap((cube) => without(cube, other)), cubes);

/** Whether the header of a packet is in the cube. */
export function hasPacket(cube: Cube, packet: PacketFields): boolean {
  const values = [
    portNumber(packet.inPort),
    macNumber(packet.dlSrc),
    macNumber(packet.dlDst),
    packet.dlVlan === 'none' ? NO_TAG : packet.dlVlan,
    packet.dlVlanPcp,
    packet.dlType,
    packet.nwTos >> 2,
    packet.nwProto,
    packet.nwSrc,
    packet.nwDst,
    packet.tpSrc,
    packet.tpDst,
  ];
  return cube.every((set, field) => has(set, values[field] as number));
}
