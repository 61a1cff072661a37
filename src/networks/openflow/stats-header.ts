import { BitNames } from '../bytes/bit-names.ts';
import type { SetBits } from '../bytes/data.ts';
import { HEADER, type Layout } from './layout.ts';
import type { StatsReply, StatsRequest } from './messages.ts';
import { statsFlags, statsTypes, VENDOR, type StatsFlag, type StatsType } from './names.ts';
import type { Reader } from './reader.ts';
import { RefusedMessage } from './refused.ts';
import type { Writer } from './writer.ts';

/** The part that all messages about statistics begin with. */
const STATS_HEADER = HEADER + 4;

interface StatsHeader<S extends StatsType> {
  readonly stats: S;
  readonly flags: SetBits<StatsFlag>;
}

/** The header of statistics that the standard defines. */
export type StandardHeader = StatsHeader<Exclude<StatsType, 'vendor'>>;

/** A vendor's body begins with its number. */
const VENDOR_MIN = 4;

const flagBits = new BitNames(statsFlags);

/** Statistics that the standard defines. */
export type Standard<M extends StatsRequest | StatsReply> = Exclude<M, { readonly stats: 'vendor' }>;

/** A message about statistics without its type and number. */
export type StatsBody<M extends StatsRequest | StatsReply> = M extends unknown ? Omit<M, 'type' | 'xid'> : never;

/** The length of the body of each kind of statistics; undefined if it is open. */
type BodyLengths = Readonly<Record<StatsType, number | undefined>>;

/** The layout of requests or replies. Their bodies differ, except those of vendors. */
export function statsLayout<M extends StatsRequest | StatsReply>(
  lengths: BodyLengths,
  readBody: (reader: Reader, header: StandardHeader) => StatsBody<Standard<M>>,
  writeBody: (writer: Writer, message: Standard<M>) => void,
): Layout<M> {
  const bodyOf = (reader: Reader, header: StatsHeader<StatsType>): object =>
    isStandard(header) ? readBody(reader, header) : { ...header, vendor: reader.u32(), data: reader.hex() };
  return {
    fixed: STATS_HEADER,
    isOpen: true,
    // A body with a type and a number is a message: the compiler does not follow that through a union.
    read: (reader, type, xid) => ({ type, xid, ...bodyOf(reader, readStatsHeader(reader, type, lengths)) }) as M,
    write(writer, message) {
      writeStatsHeader(writer, message);
      if (message.stats !== 'vendor') return writeBody(writer, message as Standard<M>);
      writer.u32('vendor', message.vendor);
      writer.hex('data', message.data);
    },
  };
}

const isStandard = (header: StatsHeader<StatsType>): header is StandardHeader => header.stats !== 'vendor';

function readStatsHeader(reader: Reader, type: string, lengths: BodyLengths): StatsHeader<StatsType> {
  const number = reader.u16();
  const stats = number === VENDOR ? 'vendor' : statsTypes[number];
  if (stats === undefined) throw RefusedMessage.as('bad_request', 'bad_stat', `there are no stats of type ${number}`);
  const flags = flagBits.namesOf(reader.u16());
  const length = lengths[stats];
  if (length === undefined ? stats === 'vendor' && reader.left < VENDOR_MIN : reader.left !== length) {
    throw RefusedMessage.as('bad_request', 'bad_len', `the body of ${type} ${stats} has ${reader.left} bytes`);
  }
  return { stats, flags };
}

function writeStatsHeader(writer: Writer, { stats, flags }: StatsRequest | StatsReply): void {
  writer.u16('stats', stats === 'vendor' ? VENDOR : writer.named('stats', statsTypes, stats));
  writer.bits16('flags', flagBits, flags);
}
