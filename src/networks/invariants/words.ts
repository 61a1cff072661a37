import type { NetworkModel } from '../header-space/network-model.ts';
import type { Blame } from './blame.ts';
import type { PacketPath } from '../header-space/packet-path.ts';
import { stationsIn } from '../header-space/reach.ts';
import { flowWords } from '../words/flow-words.ts';
import { frameWords } from '../words/frame-words.ts';
import { StationNames } from '../words/station-names.ts';

/** The values of a verdict: an example of a packet, its path and the entry to blame, each with words for people. */
export function evidenceOf({ packet, path }: PacketPath, model: NetworkModel, blame?: Blame): object {
  const names = namesIn(model);
  return {
    packet: { bytes: packet, words: frameWords(packet, names) },
    path: path.map((hop) => ({
      ...hop,
      words: `${hop.switch}, port ${hop.inPort} to port ${hop.outPort}, by ${flowWords(hop.entry, names)}`,
    })),
    ...(blame === undefined ? {} : { blame: { ...blame, words: blameWords(blame, names) } }),
  };
}

/** `s2 learned port 1 → output 2 in event 37` */
const blameWords = ({ switch: name, entry, event }: Blame, names: StationNames): string =>
  `${name} learned ${flowWords(entry, names)}${event === undefined ? '' : ` in event ${event}`}`;

/** `ping h1 → h2` */
export const exampleWords = ({ packet }: PacketPath, model: NetworkModel): string => frameWords(packet, namesIn(model));

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
