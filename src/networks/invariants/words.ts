import type { NetworkModel } from '../header-space/network-model.ts';
import type { PacketPath } from '../header-space/packet-path.ts';
import { stationsIn } from '../header-space/reach.ts';
import { flowWords } from '../words/flow-words.ts';
import { frameWords } from '../words/frame-words.ts';
import { StationNames } from '../words/station-names.ts';

/** `For example, ping h2 → h1: s2 from port 2 to port 1 by (dl_dst h1 → output 1, priority 1).` */
export function describedPath({ packet, path }: PacketPath, model: NetworkModel): string {
  const names = namesIn(model);
  const hops = path.map(
    (hop) => `${hop.switch} from port ${hop.inPort} to port ${hop.outPort} by (${flowWords(hop.entry, names)})`,
  );
  return `For example, ${frameWords(packet, names)}: ${hops.join(', then ')}.`;
}

/** `dlDst=h1`: a class of headers with the names of stations instead of their addresses. */
export function describedHeaders(headers: string, model: NetworkModel): string {
  const names = namesIn(model);
  return headers.replaceAll(/(?<=[=, ])(?:(?:[0-9a-f]{2}:){5}[0-9a-f]{2}|(?:\d+\.){3}\d+)(?=$|[, ])/g, (address) =>
    names.of(address),
  );
}

function namesIn(model: NetworkModel): StationNames {
  const atFirst = [...model.switches].flatMap(({ firstPorts = [] }) =>
    firstPorts.flatMap(({ station }) => station ?? []),
  );
  const now = stationsIn(model).map(({ station }) => station);
  return new StationNames([...atFirst, ...now].map(({ name, mac, ip }) => ({ name, addresses: [mac, ip] })));
}
