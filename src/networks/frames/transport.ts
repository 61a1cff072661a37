import { BitNames } from '../bytes/bit-names.ts';
import type { ByteReader } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';
import { checksumOf, pseudoHeaderSum, wordSum } from './checksum.ts';
import { tcpFlags, type Icmp, type Opaque, type Tcp, type Udp } from './frame.ts';

/** What an IPv4 packet carries, up to the end of the reader. */
type Transport = Icmp | Tcp | Udp | Opaque;

const ICMP = 1;
const TCP = 6;
const UDP = 17;

const ICMP_HEADER = 4;
const TCP_HEADER = 20;
const UDP_HEADER = 8;

const flagBits = new BitNames(tcpFlags);
const FLAGS = 0xfff;

/** `addresses`: where the addresses of the IPv4 header are. */
export function readTransport(reader: ByteReader, protocol: number, addresses: number): Transport {
  switch (protocol) {
    case ICMP:
      return reader.left < ICMP_HEADER ? readOpaque(reader) : readIcmp(reader);
    case TCP:
      return reader.left < TCP_HEADER ? readOpaque(reader) : readTcp(reader, addresses);
    case UDP:
      return reader.left < UDP_HEADER ? readOpaque(reader) : readUdp(reader, addresses);
    default:
      return readOpaque(reader);
  }
}

export const readOpaque = (reader: ByteReader): Opaque => ({ kind: 'opaque', data: reader.hex() });

/** The field, if it is not the computed one. */
const unless = <K extends string>(name: K, value: number, computed: number): { readonly [N in K]?: number } =>
  // The computed key has the type of the name.
  value === computed ? {} : ({ [name]: value } as { readonly [N in K]: number });

const isEcho = (type: number): boolean => type === 0 || type === 8;

function readIcmp(reader: ByteReader): Icmp {
  const start = reader.at;
  const [icmpType, icmpCode, checksum] = [reader.u8(), reader.u8(), reader.u16()];
  const hasEcho = isEcho(icmpType) && reader.left >= 4;
  return {
    kind: 'icmp',
    icmpType,
    icmpCode,
    ...unless('checksum', checksum, checksumOf(wordSum(reader.bytes, start, reader.end) - checksum)),
    ...(hasEcho ? { echo: { id: reader.u16(), seq: reader.u16() } } : {}),
    data: reader.hex(),
  };
}

function readTcp(reader: ByteReader, addresses: number): Tcp | Opaque {
  const start = reader.at;
  const header = ((reader.bytes[start + 12] as number) >> 4) * 4;
  if (header < TCP_HEADER || header > reader.left) return readOpaque(reader);
  const sum = wordSum(reader.bytes, start, reader.end, pseudoHeaderSum(reader.bytes, addresses, TCP, reader.left));
  const [tpSrc, tpDst, seq, ack] = [reader.u16(), reader.u16(), reader.u32(), reader.u32()];
  const flags = flagBits.namesOf(reader.u16() & FLAGS);
  const [window, checksum, urgent] = [reader.u16(), reader.u16(), reader.u16()];
  return {
    kind: 'tcp',
    tpSrc,
    tpDst,
    seq,
    ack,
    flags,
    window,
    urgent,
    ...(header > TCP_HEADER ? { options: reader.hex(header - TCP_HEADER) } : {}),
    ...unless('checksum', checksum, checksumOf(sum - checksum)),
    data: reader.hex(),
  };
}

function readUdp(reader: ByteReader, addresses: number): Udp {
  const [start, size] = [reader.at, reader.left];
  const sum = wordSum(reader.bytes, start, reader.end, pseudoHeaderSum(reader.bytes, addresses, UDP, size));
  const [tpSrc, tpDst, length, checksum] = [reader.u16(), reader.u16(), reader.u16(), reader.u16()];
  return {
    kind: 'udp',
    tpSrc,
    tpDst,
    ...unless('length', length, size),
    ...unless('checksum', checksum, udpChecksum(sum - checksum)),
    data: reader.hex(),
  };
}

/** 0 means that there is none; the number that means 0 is written instead. */
const udpChecksum = (sum: number): number => checksumOf(sum) || 0xffff;

export function writeTransport(writer: ByteWriter, transport: Transport, addresses: number): void {
  switch (transport.kind) {
    case 'icmp':
      writeIcmp(writer, transport);
      return;
    case 'tcp':
      writeTcp(writer, transport, addresses);
      return;
    case 'udp':
      writeUdp(writer, transport, addresses);
      return;
    case 'opaque':
      writer.hex('data', transport.data);
      return;
  }
}

function writeIcmp(writer: ByteWriter, { icmpType, icmpCode, checksum, echo, data }: Icmp): void {
  const start = writer.at;
  writer.u8('icmpType', icmpType);
  writer.u8('icmpCode', icmpCode);
  writer.u16('checksum', checksum ?? 0);
  if (echo !== undefined) {
    writer.u16('echo.id', echo.id);
    writer.u16('echo.seq', echo.seq);
  }
  writer.hex('data', data);
  if (checksum === undefined) writer.patch16(start + 2, checksumOf(wordSum(writer.bytes, start, writer.at)));
}

function writeTcp(writer: ByteWriter, tcp: Tcp, addresses: number): void {
  const start = writer.at;
  writer.u16('tpSrc', tcp.tpSrc);
  writer.u16('tpDst', tcp.tpDst);
  writer.u32('seq', tcp.seq);
  writer.u32('ack', tcp.ack);
  const header = TCP_HEADER + (tcp.options?.length ?? 0) / 2;
  if (header % 4 !== 0 || header > 60) throw writer.isNot('options', tcp.options, 'of 4, 8 and so on up to 40 bytes');
  writer.u16('flags', ((header / 4) << 12) | writer.bits('flags', flagBits, tcp.flags, FLAGS));
  writer.u16('window', tcp.window);
  writer.u16('checksum', tcp.checksum ?? 0);
  writer.u16('urgent', tcp.urgent);
  writer.hex('options', tcp.options ?? '');
  writer.hex('data', tcp.data);
  if (tcp.checksum === undefined) {
    writer.patch16(start + 16, checksumOf(sumFrom(writer, start, TCP, addresses)));
  }
}

function writeUdp(writer: ByteWriter, { tpSrc, tpDst, length, checksum, data }: Udp, addresses: number): void {
  const start = writer.at;
  writer.u16('tpSrc', tpSrc);
  writer.u16('tpDst', tpDst);
  writer.u16('length', length ?? UDP_HEADER + data.length / 2);
  writer.u16('checksum', checksum ?? 0);
  writer.hex('data', data);
  if (checksum === undefined) writer.patch16(start + 6, udpChecksum(sumFrom(writer, start, UDP, addresses)));
}

const sumFrom = (writer: ByteWriter, start: number, protocol: number, addresses: number): number =>
  wordSum(writer.bytes, start, writer.at, pseudoHeaderSum(writer.bytes, addresses, protocol, writer.at - start));
