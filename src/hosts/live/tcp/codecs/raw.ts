import { asBytes, asData, isBytesAsData } from '../bytes-as-data.ts';
import { CannotWrite, type FrameCodec, type FrameReader } from '../frame-codec.ts';

/** No frames: each chunk is a message, as the operating system hands it over. Two executions may cut a stream at different places. */
export const raw = (): FrameCodec => ({
  name: 'raw()',
  open: () => ({ client: chunk, server: chunk }),
  bytesOf(message) {
    const content = typeof message === 'object' && message !== null && 'content' in message ? message.content : message;
    if (isBytesAsData(content)) return asBytes(content);
    throw new CannotWrite(
      'raw()',
      'it is no text.',
      "Send text, such as { type: 'bytes', content: 'hello' }; { base64 } stands for bytes that are no text.",
    );
  },
});

const chunk: FrameReader = (unread) => ({ type: 'bytes', content: asData(unread), length: unread.length });
