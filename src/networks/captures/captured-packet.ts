import type { Hex, MacAddress } from '../bytes/data.ts';

/** A packet that was recorded elsewhere. */
export interface CapturedPacket {
  /** The whole frame, as hexadecimal text. */
  readonly packet: Hex;
  /** The address of the interface that sent it. */
  readonly from: MacAddress;
}

/** The digits of a MAC address, and where that of the sender begins in a frame. */
const MAC_DIGITS = 12;
const HEADER_DIGITS = 28;

/** The address in the header of a frame that says who sent it; undefined for bytes that are no frame. */
export function senderOf(packet: Hex): MacAddress | undefined {
  if (packet.length < HEADER_DIGITS) return undefined;
  return packet
    .slice(MAC_DIGITS, 2 * MAC_DIGITS)
    .match(/../g)
    ?.join(':');
}
