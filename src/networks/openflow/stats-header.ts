import { BitNames } from '../bytes/bit-names.ts';
import { HEADER } from './layout.ts';
import type { BitSet } from '../bytes/data.ts';
import type { StatsReply, StatsRequest } from './messages.ts';
import { statsFlags, statsTypes, VENDOR, type StatsFlag, type StatsType } from './names.ts';
import type { Reader } from './reader.ts';
import { Refused } from './refused.ts';
import type { Writer } from './writer.ts';

/** The part that all messages about statistics begin with. */
export const STATS_HEADER = HEADER + 4;

export interface StatsHeaderRead {
  readonly stats: StatsType;
  readonly flags: BitSet<StatsFlag>;
}

/** A vendor's body begins with its number. */
const VENDOR_MIN = 4;

const flagBits = new BitNames(statsFlags);

/** `bodies`: the length of the body, undefined if it is open. */
export function readStatsHeader(
  reader: Reader,
  type: string,
  bodies: Readonly<Record<StatsType, number | undefined>>,
): StatsHeaderRead {
  const number = reader.u16();
  const stats = number === VENDOR ? 'vendor' : statsTypes[number];
  if (stats === undefined) throw Refused.as('bad_request', 'bad_stat', `there are no stats of type ${number}`);
  const flags = flagBits.namesOf(reader.u16());
  const length = bodies[stats];
  if (length === undefined ? stats === 'vendor' && reader.left < VENDOR_MIN : reader.left !== length) {
    throw Refused.as('bad_request', 'bad_len', `the body of ${type} ${stats} has ${reader.left} bytes`);
  }
  return { stats, flags };
}

export function writeStatsHeader(writer: Writer, { stats, flags }: StatsRequest | StatsReply): void {
  writer.u16('stats', stats === 'vendor' ? VENDOR : writer.named('stats', statsTypes, stats));
  writer.bits16('flags', flagBits, flags);
}
