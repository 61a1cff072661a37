import { codec } from './networks/codec.ts';
import { fuzz } from './networks/fuzz.ts';
import { lookup } from './networks/lookup.ts';
import { ovs } from './networks/ovs.ts';
import type { Bench } from './row.ts';

/** `codec`: the speed of reading and writing OpenFlow. `fuzz`: a million random and mutated inputs. `lookup`: flow tables. `ovs`: our switch beside Open vSwitch. */
export const networks: Bench = { codec, fuzz, lookup, ovs };
