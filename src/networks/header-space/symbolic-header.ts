import type { RewriteStep } from './compiled-actions.ts';
import { EVERYTHING, isConstrained, meet, narrowed, without, withSet, type Cube } from './cube.ts';
import {
  ALL,
  DL_DST,
  DL_SRC,
  DL_TYPE,
  FIELD_COUNT,
  IPV4,
  NO_TAG,
  NW_PROTO,
  PCP,
  TAGGED,
  TCP,
  TP_DST,
  TP_SRC,
  UDP,
  VLAN,
} from './fields.ts';
import { difference, has, intersection, only, setOf, singleOf, type ValueSet } from './value-set.ts';

/**
 * All headers that took the same way so far: those they had at the start of the way, and the fields that actions have set
 * since. The port where packets arrive is a field that every hop sets.
 */
export interface SymbolicHeader {
  /** The headers at the start. */
  readonly start: Cube;
  /** The present value of each field that was set; undefined for a field that is as at the start. */
  readonly set: readonly (number | undefined)[];
}

const NONE_SET: SymbolicHeader['set'] = Array.from({ length: FIELD_COUNT }, () => undefined);

export const headersFrom = (start: Cube): SymbolicHeader => ({ start, set: NONE_SET });

/** The headers that lie in the cube now; undefined if there are none. */
export function inCube(headers: SymbolicHeader, cube: Cube): SymbolicHeader | undefined {
  const { start, set } = headers;
  let left: Cube | undefined = start;
  for (let field = 0; field < FIELD_COUNT; field++) {
    if (!isConstrained(cube, field)) continue;
    const [value, wanted] = [set[field], cube[field] as ValueSet];
    if (value !== undefined) {
      if (!has(wanted, value)) return undefined;
      continue;
    }
    left = narrowed(left, field, wanted);
    if (left === undefined) return undefined;
  }
  return left === start ? headers : { start: left, set };
}

/** The headers that do not lie in the cube now, in parts without overlap. */
export function outsideCube(headers: SymbolicHeader, cube: Cube): readonly SymbolicHeader[] {
  if (inCube(headers, cube) === undefined) return [headers];
  const { set } = headers;
  const parts: SymbolicHeader[] = [];
  let rest = headers.start;
  for (let field = 0; field < FIELD_COUNT; field++) {
    if (set[field] !== undefined || !isConstrained(cube, field)) continue;
    const [values, taken] = [rest[field] as ValueSet, cube[field] as ValueSet];
    const left = difference(values, taken);
    if (left.length === 0) continue;
    parts.push({ start: withSet(rest, field, left), set });
    rest = withSet(rest, field, intersection(values, taken));
  }
  return parts;
}

/** The present values of a field. */
export const valuesOf = ({ start, set }: SymbolicHeader, field: number): ValueSet => {
  const value = set[field];
  return value === undefined ? (start[field] as ValueSet) : only(value);
};

/** The present value of a field if all headers have the same. */
export const valueOf = ({ start, set }: SymbolicHeader, field: number): number | undefined =>
  set[field] ?? singleOf(start[field] as ValueSet);

/** The headers as they are now, as a cube. */
export const presentCube = ({ start, set }: SymbolicHeader): Cube =>
  start.map((values, field) => (set[field] === undefined ? values : only(set[field])));

export function withValue({ start, set }: SymbolicHeader, field: number, value: number): SymbolicHeader {
  const changed = set.slice();
  changed[field] = value;
  return { start, set: changed };
}

/** The headers that come out as they were at the start, such as those of a loop; undefined if there are none. */
export function unchanged({ start, set }: SymbolicHeader): Cube | undefined {
  let left: Cube | undefined = start;
  for (let field = 0; field < FIELD_COUNT && left !== undefined; field++) {
    const value = set[field];
    if (value !== undefined) left = narrowed(left, field, only(value));
  }
  return left;
}

const cubeWith = (field: number, set: ValueSet): Cube => withSet(EVERYTHING, field, set);
const UNTAGGED = cubeWith(VLAN, only(NO_TAG));
const IPV4_FRAMES = cubeWith(DL_TYPE, only(IPV4));
const TCP_AND_UDP_FRAMES = withSet(IPV4_FRAMES, NW_PROTO, setOf([TCP, UDP]));

/** The headers after a step. Parts that it changes in different ways are apart. */
export function rewritten(headers: SymbolicHeader, step: RewriteStep): readonly SymbolicHeader[] {
  switch (step.kind) {
    case 'strip':
      return [withValue(withValue(headers, VLAN, NO_TAG), PCP, 0)];
    case 'vlan':
      // A new tag has the priority 0.
      return apart(
        headers,
        UNTAGGED,
        (untagged) => withValue(withValue(untagged, VLAN, step.value), PCP, 0),
        (tagged) => withValue(tagged, VLAN, step.value),
      );
    case 'pcp':
      // A new tag is for the virtual LAN 0.
      return apart(
        headers,
        UNTAGGED,
        (untagged) => withValue(withValue(untagged, VLAN, 0), PCP, step.value),
        (tagged) => withValue(tagged, PCP, step.value),
      );
    case 'set': {
      const { field, value } = step;
      const set = (changed: SymbolicHeader): SymbolicHeader => withValue(changed, field, value);
      const frames = framesWith(field);
      return frames === undefined ? [set(headers)] : apart(headers, frames, set, (same) => same);
    }
  }
}

/** The frames in which actions set the field; undefined if they do so in all. Of ARP and ICMP, fields are matched but never set. */
function framesWith(field: number): Cube | undefined {
  if (field === TP_SRC || field === TP_DST) return TCP_AND_UDP_FRAMES;
  return field === DL_SRC || field === DL_DST ? undefined : IPV4_FRAMES;
}

function apart(
  headers: SymbolicHeader,
  cube: Cube,
  inside: (headers: SymbolicHeader) => SymbolicHeader,
  outside: (headers: SymbolicHeader) => SymbolicHeader,
): readonly SymbolicHeader[] {
  const within = inCube(headers, cube);
  if (within === undefined) return [outside(headers)];
  return [inside(within), ...outsideCube(headers, cube).map(outside)];
}

/** The headers, as a cube, that a step turns into headers of this cube. */
export function preimages(cube: Cube, step: RewriteStep): readonly Cube[] {
  switch (step.kind) {
    case 'strip':
      return allows(cube, VLAN, NO_TAG) && allows(cube, PCP, 0) ? [free(free(cube, VLAN), PCP)] : [];
    case 'vlan': {
      if (!allows(cube, VLAN, step.value)) return [];
      const tagged = withSet(cube, VLAN, TAGGED);
      return allows(cube, PCP, 0) ? [tagged, withSet(free(cube, PCP), VLAN, only(NO_TAG))] : [tagged];
    }
    case 'pcp': {
      if (!allows(cube, PCP, step.value)) return [];
      const tagged = narrowed(free(cube, PCP), VLAN, TAGGED);
      const untagged = allows(cube, VLAN, 0) ? [withSet(free(cube, PCP), VLAN, only(NO_TAG))] : [];
      return tagged === undefined ? untagged : [tagged, ...untagged];
    }
    case 'set': {
      const { field, value } = step;
      const frames = framesWith(field);
      const set = (changed: Cube): readonly Cube[] => (allows(changed, field, value) ? [free(changed, field)] : []);
      if (frames === undefined) return set(cube);
      const changed = meet(cube, frames);
      return [...(changed === undefined ? [] : set(changed)), ...without(cube, frames)];
    }
  }
}

const allows = (cube: Cube, field: number, value: number): boolean => has(cube[field] as ValueSet, value);
const free = (cube: Cube, field: number): Cube => withSet(cube, field, ALL[field] as ValueSet);
