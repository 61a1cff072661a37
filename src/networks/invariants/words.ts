import type { NetworkModel } from '../header-space/network-model.ts';
import type { PacketPath } from '../header-space/packet-path.ts';
import { stationsIn } from '../header-space/reach.ts';
import { flowWords } from '../words/flow-words.ts';
import { frameWords } from '../words/frame-words.ts';
import { StationNames } from '../words/station-names.ts';

/** `For example, ping h2 → h1: s2 from port 2 to port 1 by (dl_dst h1 → output 1, priority 1).` */
export function describedPath({ packet, path }: PacketPath, model: NetworkModel): string {
  const stations = stationsIn(model).map(({ station: { name, mac, ip } }) => ({ name, addresses: [mac, ip] }));
  const names = new StationNames(stations);
  const hops = path.map(
    (hop) => `${hop.switch} from port ${hop.inPort} to port ${hop.outPort} by (${flowWords(hop.entry, names)})`,
  );
  return `For example, ${frameWords(packet, names)}: ${hops.join(', then ')}.`;
}
