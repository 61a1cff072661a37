import { checkpoints } from './networks/checkpoints.ts';
import { codec } from './networks/codec.ts';
import { fuzz } from './networks/fuzz.ts';
import { headerSpace } from './networks/header-space.ts';
import { headerWalks } from './networks/header-walks.ts';
import { inside } from './networks/inside.ts';
import { jobs } from './networks/jobs.ts';
import { lookup } from './networks/lookup.ts';
import { memory } from './networks/memory.ts';
import { ovs } from './networks/ovs.ts';
import { packetIns } from './networks/packet-ins.ts';
import { replays } from './networks/replays.ts';
import { scale } from './networks/scale.ts';
import { sockets } from './networks/sockets.ts';
import type { Bench } from './row.ts';

/**
 * `codec`: the speed of reading and writing OpenFlow. `fuzz`: a million random and mutated inputs. `lookup`: flow tables. `ovs`: our switch
 * beside Open vSwitch. `scale`: a fat tree of 10,125 switches. `header-space`: the time that loops
 * and blackholes of all headers take. `header-walks`: header space beside walks of single packets. With real controllers: `sockets`: the same fat
 * tree. `replays`: the time of one, by controller. `memory`: what 200 replays leave. `packet-ins`: how many are answered in a second. `inside`: what
 * the shim of a Python controller costs. `checkpoints`: what they save. `jobs`: minimizing with several executions at a time.
 */
export const networks: Bench = {
  codec,
  fuzz,
  lookup,
  ovs,
  scale,
  sockets,
  replays,
  memory,
  'packet-ins': packetIns,
  inside,
  checkpoints,
  jobs,
  'header-space': headerSpace,
  'header-walks': headerWalks,
};
