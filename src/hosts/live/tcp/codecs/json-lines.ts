import { isUtf8 } from 'node:buffer';
import { Unreadable, type FrameCodec, type FrameReader } from '../frame-codec.ts';
import { jsonFrom, jsonIn } from './json-value.ts';

const LF = 0x0a;

/** One value of JSON a line. Its type is what its field type, method, op or cmd says, and json otherwise. */
export const jsonLines = (): FrameCodec => ({
  name: 'jsonLines()',
  open: () => ({ client: lineReader(), server: lineReader() }),
  bytesOf: (message) => Buffer.from(`${jsonIn(message)}\n`),
});

function lineReader(): FrameReader {
  let searched = 0;
  return (unread) => {
    const end = unread.indexOf(LF, searched);
    searched = end < 0 ? unread.length : 0;
    if (end < 0) return undefined;
    const line = unread.subarray(0, end);
    if (!isUtf8(line)) throw new Unreadable('a line is no UTF-8');
    const text = line.toString('utf8');
    return { ...(text.trim() === '' ? { type: 'empty line', content: null } : jsonFrom(text)), length: end + 1 };
  };
}
