import { ByteReader } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import type { Hex } from '../bytes/data.ts';
import type { Arp, Frame, Vlan } from './frame.ts';
import { readIpv4, writeIpv4 } from './ipv4.ts';
import { readLldp, writeLldp } from './lldp.ts';
import { readOpaque } from './transport.ts';

const HEADER = 14;
const TAG = 4;
const VLAN = 0x8100;
const ARP = 0x0806;
const IPV4 = 0x0800;
const LLDP = 0x88cc;
const BDDP = 0x8942;

/** An ARP packet for Ethernet and IPv4: its length, and the bytes it begins with. */
const ARP_LENGTH = 28;
const ARP_START = [0, 1, 8, 0, 6, 4];

/**
 * The frame in these bytes; undefined if they are shorter than an Ethernet header, or no hexadecimal text. A part that is
 * not as its standard wants it is opaque. Building the frame gives the same bytes.
 */
export function parseFrame(data: Hex): Frame | undefined {
  const bytes = Buffer.from(data, 'hex');
  if (bytes.length < HEADER || bytes.length * 2 !== data.length) return undefined;
  const reader = new ByteReader(bytes, 0, bytes.length);
  const [dlDst, dlSrc, vlan, dlType] = [reader.mac(), reader.mac(), readVlan(reader), reader.u16()];
  const payload = readPayload(reader, dlType) ?? readOpaque(reader);
  return {
    dlDst,
    dlSrc,
    ...(vlan === undefined ? {} : { vlan }),
    dlType,
    payload,
    ...(reader.left === 0 ? {} : { padding: reader.hex() }),
  };
}

/** The tag, if there is one and a type after it. */
function readVlan(reader: ByteReader): Vlan | undefined {
  const { bytes, at } = reader;
  if (reader.left < 2 + TAG || bytes.readUInt16BE(at) !== VLAN) return undefined;
  reader.skip(2);
  const tag = reader.u16();
  return { id: tag & 0xfff, pcp: tag >>> 13, dei: (tag & 0x1000) !== 0 };
}

/** Undefined if it is opaque. */
function readPayload(reader: ByteReader, type: number): Frame['payload'] | undefined {
  switch (type) {
    case ARP:
      return readArp(reader);
    case IPV4:
      return readIpv4(reader);
    case LLDP:
    case BDDP:
      return readLldp(reader);
    default:
      return undefined;
  }
}

function readArp(reader: ByteReader): Arp | undefined {
  const { bytes, at, left } = reader;
  if (left < ARP_LENGTH || ARP_START.some((byte, index) => bytes[at + index] !== byte)) return undefined;
  reader.skip(ARP_START.length);
  return {
    kind: 'arp',
    op: reader.u16(),
    sha: reader.mac(),
    spa: reader.ipv4(),
    tha: reader.mac(),
    tpa: reader.ipv4(),
  };
}

/** One for all frames: building is synchronous and copies the result. */
const writer = new ByteWriter();

/** The bytes of a frame. Throws `CannotEncode` if a field does not fit. */
export function buildFrame(frame: Frame): Hex {
  writer.begin('frame');
  writer.mac('dlDst', frame.dlDst);
  writer.mac('dlSrc', frame.dlSrc);
  if (frame.vlan !== undefined) writeVlan(frame.vlan);
  writer.u16('dlType', frame.dlType);
  writePayload(frame.payload);
  writer.hex('padding', frame.padding ?? '');
  return writer.bytes.toString('hex', 0, writer.at);
}

function writeVlan({ id, pcp, dei }: Vlan): void {
  if ((id & 0xfff) !== id) throw writer.isNot('vlan.id', id, 'a whole number from 0 to 4095');
  if ((pcp & 7) !== pcp) throw writer.isNot('vlan.pcp', pcp, 'a whole number from 0 to 7');
  writer.u16('vlan', VLAN);
  writer.u16('vlan', (pcp << 13) | (dei ? 0x1000 : 0) | id);
}

function writePayload(payload: Frame['payload']): void {
  switch (payload.kind) {
    case 'arp':
      writeArp(payload);
      return;
    case 'ipv4':
      writeIpv4(writer, payload);
      return;
    case 'lldp':
      writeLldp(writer, payload);
      return;
    case 'opaque':
      writer.hex('data', payload.data);
      return;
  }
}

function writeArp({ op, sha, spa, tha, tpa }: Arp): void {
  for (const byte of ARP_START) writer.u8('arp', byte);
  writer.u16('op', op);
  writer.mac('sha', sha);
  writer.ipv4('spa', spa);
  writer.mac('tha', tha);
  writer.ipv4('tpa', tpa);
}
