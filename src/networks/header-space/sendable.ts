import { ipv4Number } from '../bytes/addresses.ts';
import type { StationPeer } from '../invariants/network-state.ts';
import { EVERYTHING, withSet, type Cube } from './cube.ts';
import { ALL, ARP, DL_DST, DL_SRC, DL_TYPE, IPV4, macNumber, NW_DST, NW_SRC } from './fields.ts';
import { difference, only, setOf, type ValueSet } from './value-set.ts';

const WITH_ADDRESS = setOf([IPV4, ARP]);
const WITHOUT_ADDRESS = difference(ALL[DL_TYPE] as ValueSet, WITH_ADDRESS);

const known = new WeakMap<StationPeer, readonly Cube[]>();

/** The headers that a station sends to others: with its own addresses as source, not as destination, and anything in other fields. */
export function sendableBy(station: StationPeer): readonly Cube[] {
  let cubes = known.get(station);
  if (cubes === undefined) known.set(station, (cubes = cubesOf(station)));
  return cubes;
}

function cubesOf({ mac, ip }: StationPeer): readonly Cube[] {
  const own = only(macNumber(mac));
  const cube = withSet(withSet(EVERYTHING, DL_SRC, own), DL_DST, difference(ALL[DL_DST] as ValueSet, own));
  const address = only(ipv4Number(ip));
  const others = difference(ALL[NW_DST] as ValueSet, address);
  return [
    withSet(withSet(withSet(cube, DL_TYPE, WITH_ADDRESS), NW_SRC, address), NW_DST, others),
    withSet(cube, DL_TYPE, WITHOUT_ADDRESS),
  ];
}
