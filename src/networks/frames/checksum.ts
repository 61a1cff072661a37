/**
 * The sum of 16-bit words that the checksums of IPv4, ICMP, TCP and UDP are made of (RFC 1071), continued from another
 * sum. A last single byte counts as the high half of a word.
 */
export function wordSum(bytes: Uint8Array, from: number, end: number, sum = 0): number {
  let total = sum;
  let at = from;
  for (; at + 1 < end; at += 2) total += ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
  return at < end ? total + ((bytes[at] as number) << 8) : total;
}

/** The checksum of that sum: its one's complement in 16 bits. */
export function checksumOf(sum: number): number {
  let folded = sum;
  while (folded > 0xffff) folded = (folded & 0xffff) + Math.floor(folded / 0x10000);
  return ~folded & 0xffff;
}

/** The sum over the part of an IPv4 header that TCP and UDP include: both addresses, the protocol and the length. */
export const pseudoHeaderSum = (bytes: Uint8Array, addresses: number, protocol: number, length: number): number =>
  wordSum(bytes, addresses, addresses + 8, protocol + length);
