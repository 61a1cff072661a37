import type { Hex } from '../bytes/data.ts';
import type { BufferId, Port } from '../openflow/messages.ts';
import type { ErrorCodes } from '../openflow/names.ts';
import type { SwitchState } from './switch-state.ts';

/** The number that means that there is no buffer; the numbers begin again before it. */
const NONE = 0xffffffff;

/** Keeps a packet for the controllers, in the place of the oldest one if there is no other. */
export function keepPacket(state: SwitchState, packet: Hex, inPort: Port): BufferId {
  if (state.bufferCount === 0) return 'none';
  if (state.buffers.length >= state.bufferCount) state.buffers.shift();
  const id = state.nextBuffer;
  state.nextBuffer = id + 1 === NONE ? 1 : id + 1;
  state.buffers.push({ id, inPort, packet });
  return id;
}

/** Takes a kept packet, which can be done once; otherwise, the error to answer with. */
export function takePacket(
  state: SwitchState,
  id: number,
): { readonly packet: Hex; readonly inPort: Port } | { readonly code: ErrorCodes['bad_request'] } {
  const buffer = state.buffers.find((kept) => kept.id === id);
  if (buffer === undefined) return { code: 'buffer_unknown' };
  const { packet, inPort } = buffer;
  if (packet === null) return { code: 'buffer_empty' };
  buffer.packet = null;
  return { packet, inPort };
}
