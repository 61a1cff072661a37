import { BitNames } from '../bytes/bit-names.ts';
import { ByteReader } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';
import { checksumOf, wordSum } from './checksum.ts';
import { ipv4Flags, type Ipv4 } from './frame.ts';
import { readOpaque, readTransport, writeTransport } from './transport.ts';

const HEADER = 20;
/** Where the checksum and the addresses are. */
const CHECKSUM = 10;
const ADDRESSES = 12;

const flagBits = new BitNames(ipv4Flags);
const FLAGS_SHIFT = 13;
const OFFSET_MASK = (1 << FLAGS_SHIFT) - 1;
const MORE_FRAGMENTS = 1;

/** Undefined if it is no IPv4 packet. Leaves the reader after the packet, where padding may follow. */
export function readIpv4(reader: ByteReader): Ipv4 | undefined {
  const { at: start, left, bytes } = reader;
  if (left < HEADER) return undefined;
  const first = bytes[start] as number;
  const header = (first & 0xf) * 4;
  const totalLength = bytes.readUInt16BE(start + 2);
  if (first >> 4 !== 4 || header < HEADER || header > left || totalLength < header) return undefined;
  reader.skip(1);
  const nwTos = reader.u8Padded(2);
  const [id, fragment] = [reader.u16(), reader.u16()];
  const [ttl, nwProto, checksum] = [reader.u8(), reader.u8(), reader.u16()];
  const [nwSrc, nwDst, options] = [reader.ipv4(), reader.ipv4(), reader.hex(header - HEADER)];
  // A packet that was cut off says that it is longer.
  const end = Math.min(start + totalLength, reader.end);
  const flags = fragment >>> FLAGS_SHIFT;
  const isFragment = (flags & MORE_FRAGMENTS) !== 0 || (fragment & OFFSET_MASK) !== 0;
  const body = new ByteReader(bytes, start + header, end);
  const computed = checksumOf(wordSum(bytes, start, start + header) - checksum);
  const packet: Ipv4 = {
    kind: 'ipv4',
    nwSrc,
    nwDst,
    nwTos,
    nwProto,
    ttl,
    id,
    flags: flagBits.namesOf(flags),
    fragmentOffset: fragment & OFFSET_MASK,
    ...(options === '' ? {} : { options }),
    ...(start + totalLength === end ? {} : { totalLength }),
    ...(checksum === computed ? {} : { checksum }),
    payload: isFragment ? readOpaque(body) : readTransport(body, nwProto, start + ADDRESSES),
  };
  reader.at = end;
  return packet;
}

export function writeIpv4(writer: ByteWriter, packet: Ipv4): void {
  const start = writer.at;
  const header = HEADER + (packet.options?.length ?? 0) / 2;
  if (header % 4 !== 0 || header > 60)
    throw writer.isNot('options', packet.options, 'of 4, 8 and so on up to 40 bytes');
  writer.u8('version', 0x40 | (header / 4));
  writer.u8('nwTos', packet.nwTos);
  writer.u16('totalLength', packet.totalLength ?? 0);
  writer.u16('id', packet.id);
  const { fragmentOffset } = packet;
  if ((fragmentOffset & OFFSET_MASK) !== fragmentOffset) {
    throw writer.isNot('fragmentOffset', fragmentOffset, `a whole number from 0 to ${OFFSET_MASK}`);
  }
  writer.u16('flags', (writer.bits('flags', flagBits, packet.flags, 7) << FLAGS_SHIFT) | fragmentOffset);
  writer.u8('ttl', packet.ttl);
  writer.u8('nwProto', packet.nwProto);
  writer.u16('checksum', packet.checksum ?? 0);
  writer.ipv4('nwSrc', packet.nwSrc);
  writer.ipv4('nwDst', packet.nwDst);
  writer.hex('options', packet.options ?? '');
  writeTransport(writer, packet.payload, start + ADDRESSES);
  if (packet.totalLength === undefined) writer.patch16(start + 2, writer.at - start);
  if (packet.checksum === undefined) {
    writer.patch16(start + CHECKSUM, checksumOf(wordSum(writer.bytes, start, start + header)));
  }
}
