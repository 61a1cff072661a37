import { CulpritError } from '../../error.ts';
import type { Message } from '../openflow/messages.ts';
import { openflow10 } from '../openflow/openflow10.ts';

/** The element of a hello that lists all versions of the sender: one bit each. */
const VERSION_BITMAP = 1;

/** Why a controller cannot be tested that sends this: it does not speak OpenFlow 1.0. Undefined for any other message. */
export function versionProblem(controller: string, message: Message): WrongVersion | undefined {
  if (message.type === 'hello') {
    const spoken = versionsIn(message.elements);
    return spoken === undefined || spoken.includes(openflow10.version)
      ? undefined
      : new WrongVersion(controller, spoken);
  }
  return message.type === 'error' && message.error === 'hello_failed' ? new WrongVersion(controller, []) : undefined;
}

/** The versions that a hello lists; undefined if it lists none. */
function versionsIn(elements: string): number[] | undefined {
  const bytes = Buffer.from(elements, 'hex');
  for (let at = 0; at + 4 <= bytes.length;) {
    const length = bytes.readUInt16BE(at + 2);
    // The bits of the first word are the versions from 0 to 31; no later ones exist.
    if (bytes.readUInt16BE(at) === VERSION_BITMAP && length >= 8 && at + 8 <= bytes.length)
      return bitsOf(bytes.readUInt32BE(at + 4));
    // Elements are padded to a multiple of 8 bytes. One without a length would never end.
    at += Math.max(8, Math.ceil(length / 8) * 8);
  }
  return undefined;
}

const bitsOf = (word: number): number[] =>
  Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => word & (1 << bit));

const NAMES = new Map([
  [1, '1.0'],
  [2, '1.1'],
  [3, '1.2'],
  [4, '1.3'],
  [5, '1.4'],
  [6, '1.5'],
]);

/** A controller that does not speak OpenFlow 1.0. */
export class WrongVersion extends CulpritError {
  readonly code = 'WRONG_VERSION';

  constructor(controller: string, spoken: readonly number[]) {
    const what =
      spoken.length === 0
        ? 'refuses OpenFlow 1.0'
        : `speaks OpenFlow ${spoken.map((version) => NAMES.get(version) ?? `version ${version}`).join(', ')} only`;
    super(
      `${controller} ${what}, and the switches of culprit speak 1.0.`,
      'Make the controller accept 1.0. Of os-ken, an app lists it: OFP_VERSIONS = [ofproto_v1_0.OFP_VERSION].',
    );
  }
}
