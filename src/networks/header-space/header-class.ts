import { ipv4Text } from '../bytes/addresses.ts';
import { matchFields } from '../openflow/match-fields.ts';
import { EVERYTHING, isConstrained, withSet, type Cube } from './cube.ts';
import { ALL, DL_DST, DL_SRC, IN_PORT, NO_TAG, NW_DST, NW_SRC, NW_TOS, TAGGED, VLAN } from './fields.ts';
import type { Hop } from './hops.ts';
import { headersFrom, inCube, rewritten, type SymbolicHeader } from './symbolic-header.ts';
import { difference, singleOf, type ValueSet } from './value-set.ts';

/**
 * The headers that the matches of the entries on a way have in common, as text. Entries of higher priority that take some of
 * them away are not mentioned: the text stays the same when others come and go.
 */
export function headerClass(hops: readonly Hop[]): string {
  let present: readonly SymbolicHeader[] = [headersFrom(EVERYTHING)];
  for (const { rule } of hops) {
    present = present.flatMap((headers) => inCube(headers, anyPort(rule.cube)) ?? []);
    for (const step of rule.steps) {
      if (step.kind !== 'output') present = present.flatMap((headers) => rewritten(headers, step));
    }
  }
  // Frames that actions change in different ways are in different parts.
  return [...new Set(present.map(({ start }) => cubeWords(start)))].toSorted().join(' or ');
}

const anyPort = (cube: Cube): Cube => withSet(cube, IN_PORT, ALL[IN_PORT] as ValueSet);

/** `dlType=2048 nwDst=10.0.0.0-10.0.0.255`; values in the notation of matches. */
function cubeWords(cube: Cube): string {
  const words = matchFields.flatMap((name, field) =>
    field !== IN_PORT && isConstrained(cube, field) ? [`${name}=${setWords(field, cube[field] as ValueSet)}`] : [],
  );
  return words.length === 0 ? 'any packet' : words.join(' ');
}

function setWords(field: number, set: ValueSet): string {
  const single = singleOf(set);
  if (single !== undefined) return valueWords(field, single);
  if (field === VLAN && set[0] === TAGGED[0] && set[1] === TAGGED[1] && set.length === 2) return 'any';
  const others = difference(ALL[field] as ValueSet, set);
  const isNegative = others.length < set.length;
  return `${isNegative ? 'not ' : ''}${rangesWords(field, isNegative ? others : set)}`;
}

function rangesWords(field: number, set: ValueSet): string {
  const words: string[] = [];
  for (let at = 0; at < set.length; at += 2) {
    const [from, to] = [set[at] as number, set[at + 1] as number];
    words.push(from === to ? valueWords(field, from) : `${valueWords(field, from)}-${valueWords(field, to)}`);
  }
  return words.join(',');
}

function valueWords(field: number, value: number): string {
  switch (field) {
    case DL_SRC:
    case DL_DST:
      return (value.toString(16).padStart(12, '0').match(/../g) as string[]).join(':');
    case VLAN:
      return value === NO_TAG ? 'none' : String(value);
    case NW_TOS:
      return String(value << 2);
    case NW_SRC:
    case NW_DST:
      return ipv4Text(value);
    default:
      return String(value);
  }
}
