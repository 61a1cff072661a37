import { Unreadable, tooLarge, type ReadFrame } from '../frame-codec.ts';
import { lengthAt } from './resp-scanner.ts';

const LF = 0x0a;
const DOLLAR = 0x24;
/** The mark after a file whose length is not known when it begins. */
const MARK = /^EOF:(.{40})$/s;
const LINE_MAX = 64;

/**
 * What a primary of Redis sends a replica besides replies: a file after FULLRESYNC, without the end that other texts have, and empty
 * lines while the replica waits for it. Commands follow.
 */
export class ReplicationStream {
  private expectsFile = false;
  private searched = 0;
  isUnderWay = false;

  constructor(private readonly frameBytes: number) {}

  /** A reply was read: it may begin a replication stream. */
  note({ type, content }: { readonly type: string; readonly content: unknown }): void {
    if (type !== 'status' || typeof content !== 'string') return;
    if (content.startsWith('FULLRESYNC ')) this.expectsFile = true;
    if (content.startsWith('FULLRESYNC ') || /^CONTINUE\b/.test(content)) this.isUnderWay = true;
  }

  /** The empty line or the file at the beginning; undefined if something else is there. */
  read(unread: Buffer): ReadFrame | 'incomplete' | undefined {
    // A primary that needs a while for the file says so with empty lines, before it answers, too.
    if (unread[0] === LF) return { type: 'empty line', content: [], length: 1 };
    if (!this.expectsFile) return undefined;
    if (unread[0] !== DOLLAR) throw new Unreadable('FULLRESYNC is followed by no file');
    const end = unread.subarray(0, LINE_MAX).indexOf('\r\n');
    if (end < 0 && unread.length >= LINE_MAX) throw new Unreadable('FULLRESYNC is followed by no file');
    return end < 0 ? 'incomplete' : this.file(unread, end);
  }

  private file(unread: Buffer, end: number): ReadFrame | 'incomplete' {
    const from = end + 2;
    const mark = MARK.exec(unread.toString('latin1', 1, end))?.[1];
    const size = mark === undefined ? lengthAt(unread, 0, end) : this.sizeBefore(unread, from, mark);
    if (size === undefined) return 'incomplete';
    if (size < 0) throw new Unreadable('FULLRESYNC is followed by no file');
    const length = from + size + (mark === undefined ? 0 : mark.length);
    if (length > this.frameBytes) throw tooLarge('a file of replication', length, this.frameBytes);
    if (length > unread.length) return 'incomplete';
    this.expectsFile = false;
    this.searched = 0;
    return { type: 'RDB', content: `${size} bytes`, length };
  }

  private sizeBefore(unread: Buffer, from: number, mark: string): number | undefined {
    const bytes = Buffer.from(mark, 'latin1');
    const at = unread.indexOf(bytes, Math.max(from, this.searched));
    this.searched = Math.max(from, unread.length - bytes.length + 1);
    return at < 0 ? undefined : at - from;
  }
}
