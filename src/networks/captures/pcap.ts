import { BadCapture } from './bad-capture.ts';
import { senderOf, type CapturedPacket } from './captured-packet.ts';

/** The first four bytes of a file, as a number of the machine that wrote it: with times in micro- or nanoseconds. */
const MAGIC: readonly number[] = [0xa1b2c3d4, 0xa1b23c4d];
const PCAPNG = 0x0a0d0d0a;

const FILE_HEADER = 24;
const LINK_TYPE_AT = 20;
const PACKET_HEADER = 16;
const LENGTH_AT = 8;

/** The upper bits of the type say something else. */
const LINK_TYPE_MASK = 0x0fffffff;
const ETHERNET = 1;

/**
 * The packets of a capture file, as tcpdump and Wireshark write it, in their order. Times are left out: an execution decides when each is
 * sent. A packet that the capture cut off stays cut off.
 */
export function packetsOfPcap(file: Uint8Array): CapturedPacket[] {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const numberAt = readerFor(bytes);
  const linkType = numberAt(LINK_TYPE_AT) & LINK_TYPE_MASK;
  if (linkType !== ETHERNET)
    throw new BadCapture(
      `the capture has packets of the link type ${linkType}, not of Ethernet.`,
      'Capture at an Ethernet interface.',
    );
  const packets: CapturedPacket[] = [];
  for (let at = FILE_HEADER; at < bytes.length;) {
    const number = packets.length + 1;
    const from = at + PACKET_HEADER;
    const end = from > bytes.length ? Infinity : from + numberAt(at + LENGTH_AT);
    if (end > bytes.length)
      throw new BadCapture(`the capture ends within packet ${number}.`, 'Copy the file again, or capture again.');
    packets.push(packetIn(bytes.toString('hex', from, end), number));
    at = end;
  }
  return packets;
}

/** Reads numbers of 32 bits in the byte order of the file. */
function readerFor(bytes: Buffer): (at: number) => number {
  if (bytes.length >= FILE_HEADER) {
    if (MAGIC.includes(bytes.readUInt32BE(0))) return (at) => bytes.readUInt32BE(at);
    if (MAGIC.includes(bytes.readUInt32LE(0))) return (at) => bytes.readUInt32LE(at);
    if (bytes.readUInt32BE(0) === PCAPNG)
      throw new BadCapture('the capture is of the format pcapng.', 'Convert it: editcap -F pcap in.pcapng out.pcap');
  }
  throw new BadCapture('this is no capture file.', 'Give the bytes of a file that tcpdump -w or Wireshark wrote.');
}

function packetIn(packet: string, number: number): CapturedPacket {
  const from = senderOf(packet);
  if (from !== undefined) return { packet, from };
  throw new BadCapture(`packet ${number} of the capture is too short for a frame.`, 'Capture whole frames.');
}
