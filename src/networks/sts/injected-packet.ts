import { writeMac } from '../bytes/addresses.ts';
import { senderOf, type CapturedPacket } from '../captures/captured-packet.ts';
import { recordOf } from './sts-lines.ts';

/** The packet of a `dp_event`: an object, or its JSON as a text. Undefined where the event has none, as in old traces. */
export function injectedPacket(event: unknown): CapturedPacket | undefined {
  const { interface: at, packet } = recordOf(typeof event === 'string' ? jsonOf(event) : event) ?? {};
  const from = String(recordOf(at)?.['hw_addr']).toLowerCase();
  const bytes = typeof packet === 'string' ? Buffer.from(packet, 'base64').toString('hex') : '';
  return writeMac(from, Buffer.alloc(6), 0) && senderOf(bytes) !== undefined ? { packet: bytes, from } : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
