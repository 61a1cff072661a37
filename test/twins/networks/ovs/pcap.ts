const FILE_HEADER = 24;
const PACKET_HEADER = 16;

/** The packets in a file of libpcap, as hexadecimal text. */
export function packetsInPcap(bytes: Buffer): string[] {
  const packets: string[] = [];
  for (let at = FILE_HEADER; at < bytes.length;) {
    const length = bytes.readUInt32LE(at + 8);
    const start = at + PACKET_HEADER;
    packets.push(bytes.toString('hex', start, start + length));
    at = start + length;
  }
  return packets;
}
