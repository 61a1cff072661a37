import { Unreadable, type FrameCodec, type ReadFrame } from '../../hosts/live/tcp/frame-codec.ts';
import { lengthAt } from '../openflow/decoder.ts';
import { HEADER } from '../openflow/layout.ts';
import type { Message } from '../openflow/messages.ts';
import { openflow10 } from '../openflow/openflow10.ts';

/** The messages of a channel between two programs. They are the same plain data as those of switches of ours, so stories read alike. */
export const openflowFrames: FrameCodec = {
  name: 'openflow',
  isFlat: true,
  open: () => ({ client: read, server: read }),
  bytesOf: (message) => openflow10.encode(message as Message),
};

function read(unread: Buffer): ReadFrame | undefined {
  if (unread.length < HEADER) return undefined;
  // Of a length that cannot be, the header is decoded, which refuses it.
  const length = Math.max(lengthAt(unread, 0), HEADER);
  if (unread.length < length) return undefined;
  const received = openflow10.decode(unread.subarray(0, length));
  if (received.kind === 'broken') throw new Unreadable(received.reason);
  const content = received.kind === 'message' ? received.message : { type: 'refused', reason: received.reason };
  return { type: content.type, content, length };
}
