import type { PacketPath } from '../header-space/packet-path.ts';
import { flowWords } from '../words/flow-words.ts';
import { frameWords } from '../words/frame-words.ts';
import { StationNames } from '../words/station-names.ts';

const nobody = new StationNames();

/** `For example: frame … at s1, port 1 → output 2 …; then s2, …`. */
export const describedPath = ({ packet, path }: PacketPath): string =>
  `For example, ${frameWords(packet, nobody)}: ${path
    .map((hop) => `${hop.switch} from port ${hop.inPort} to port ${hop.outPort} by (${flowWords(hop.entry)})`)
    .join(', then ')}.`;
