import { codec } from './networks/codec.ts';
import { fuzz } from './networks/fuzz.ts';
import { headerSpace } from './networks/header-space.ts';
import { headerWalks } from './networks/header-walks.ts';
import { lookup } from './networks/lookup.ts';
import { ovs } from './networks/ovs.ts';
import { scale } from './networks/scale.ts';
import type { Bench } from './row.ts';

/**
 * `codec`: the speed of reading and writing OpenFlow. `fuzz`: a million random and mutated inputs. `lookup`: flow tables. `ovs`: our switch
 * beside Open vSwitch. `scale`: a fat tree of 10,125 switches. `header-space`: the time that loops
 * and blackholes of all headers take. `header-walks`: header space beside walks of single packets.
 */
export const networks: Bench = {
  codec,
  fuzz,
  lookup,
  ovs,
  scale,
  'header-space': headerSpace,
  'header-walks': headerWalks,
};
