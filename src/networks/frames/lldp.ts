import { ByteReader } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';
import type { Lldp, Tlv } from './frame.ts';

/** A header of 7 bits of type and 9 bits of length. */
const LENGTH_BITS = 9;
const LENGTH_MAX = (1 << LENGTH_BITS) - 1;
const TYPE_MAX = 127;

const END = 0;
const CHASSIS_ID = 1;
const PORT_ID = 2;
const TTL = 3;

/** Undefined if it is not as the standard wants it: chassis, port, time to live, any others, the end. */
export function readLldp(reader: ByteReader): Lldp | undefined {
  const ahead = new ByteReader(reader.bytes, reader.at, reader.end);
  const tlvs = readTlvs(ahead);
  if (tlvs === undefined) return undefined;
  const [chassis, port, ttl, ...others] = tlvs;
  const chassisId = identified(chassis, CHASSIS_ID);
  const portId = identified(port, PORT_ID);
  if (chassisId === undefined || portId === undefined) return undefined;
  if (ttl?.type !== TTL || ttl.value.length !== 4) return undefined;
  reader.at = ahead.at;
  return { kind: 'lldp', chassisId, portId, ttl: Number.parseInt(ttl.value, 16), tlvs: others };
}

/** Up to the end mark, which is not one of them; undefined without an end mark. */
function readTlvs(reader: ByteReader): Tlv[] | undefined {
  const tlvs: Tlv[] = [];
  while (reader.left >= 2) {
    const header = reader.u16();
    const [type, length] = [header >>> LENGTH_BITS, header & LENGTH_MAX];
    if (type === END && length === 0) return tlvs;
    if (type === END || length > reader.left) return undefined;
    tlvs.push({ type, value: reader.hex(length) });
  }
  return undefined;
}

function identified(tlv: Tlv | undefined, type: number): { subtype: number; id: string } | undefined {
  if (tlv?.type !== type || tlv.value === '') return undefined;
  return { subtype: Number.parseInt(tlv.value.slice(0, 2), 16), id: tlv.value.slice(2) };
}

export function writeLldp(writer: ByteWriter, { chassisId, portId, ttl, tlvs }: Lldp): void {
  writeHeader(writer, 'chassisId', CHASSIS_ID, 1 + chassisId.id.length / 2);
  writer.u8('chassisId.subtype', chassisId.subtype);
  writer.hex('chassisId.id', chassisId.id);
  writeHeader(writer, 'portId', PORT_ID, 1 + portId.id.length / 2);
  writer.u8('portId.subtype', portId.subtype);
  writer.hex('portId.id', portId.id);
  writeHeader(writer, 'ttl', TTL, 2);
  writer.u16('ttl', ttl);
  for (const { type, value } of tlvs) {
    if (type === END) throw writer.isNot('tlvs.type', type, 'a number from 1 to 127');
    writeHeader(writer, 'tlvs', type, value.length / 2);
    writer.hex('tlvs.value', value);
  }
  writer.u16('end', END);
}

function writeHeader(writer: ByteWriter, field: string, type: number, length: number): void {
  if ((type & TYPE_MAX) !== type) throw writer.isNot(`${field}.type`, type, 'a number from 1 to 127');
  if (length > LENGTH_MAX) throw writer.isNot(`${field}.length`, length, `at most ${LENGTH_MAX} bytes`);
  writer.u16(field, (type << LENGTH_BITS) | length);
}
