import { matchFields } from '../openflow/match-fields.ts';
import { shown } from './shown.ts';
import type { StationNames } from './station-names.ts';

/** The fields of a match without wildcards. Without a VLAN there is no priority of one. */
const exactFields = matchFields.filter((field) => field !== 'dlVlanPcp');

const IPV4 = 0x08_00;

const icmpTypes: Readonly<Record<number, string>> = { 0: 'ping reply', 8: 'ping' };
const transports: Readonly<Record<number, string>> = { 6: 'TCP', 17: 'UDP' };

/**
 * A match that leaves nothing open, in the words of the packets that it matches: `TCP h1 → h2 (10001 → 80)`. Undefined if it leaves
 * something open, or the words would.
 */
export function exactWords(match: Readonly<Record<string, unknown>>, names: StationNames): string | undefined {
  if (exactFields.some((field) => match[field] === undefined)) return undefined;
  const { dlSrc, dlDst, dlVlan, dlType, nwTos, nwProto, nwSrc, nwDst, tpSrc, tpDst } = match;
  if (dlVlan !== 'none' || dlType !== IPV4 || nwTos !== 0) return undefined;
  const [from, to] = [names.of(shown(dlSrc)), names.of(shown(dlDst))];
  // A name stands for both addresses only if both are that station's.
  if (from !== names.of(shown(nwSrc)) || to !== names.of(shown(nwDst))) return undefined;
  const ping = nwProto === 1 && tpDst === 0 ? icmpTypes[tpSrc as number] : undefined;
  if (ping !== undefined) return `${ping} ${from} → ${to}`;
  const transport = transports[nwProto as number];
  return transport && `${transport} ${from} → ${to} (${shown(tpSrc)} → ${shown(tpDst)})`;
}
