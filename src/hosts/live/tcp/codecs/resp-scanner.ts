import { Unreadable, tooLarge } from '../frame-codec.ts';

const CRLF = '\r\n';
const LENGTH = /^-?\d{1,19}$/;

/**
 * Finds where a value of RESP ends, and remembers how far it has looked: the bytes of a large value are looked at once, in how many
 * chunks soever they come. The format names its parts before they come, so that a count of values to come is all there is to know.
 */
export class RespScanner {
  private at = 0;
  private lineFrom = 0;
  private toCome = 1;

  constructor(private readonly frameBytes: number) {}

  /** The length of the value at the beginning; undefined if it is not complete. */
  lengthOf(unread: Buffer): number | undefined {
    while (this.toCome > 0) if (!this.skipPart(unread)) return undefined;
    const { at } = this;
    this.at = 0;
    this.lineFrom = 0;
    this.toCome = 1;
    return at;
  }

  /** Skips the next line, and the text that it announces. False if it is not complete. */
  private skipPart(unread: Buffer): boolean {
    const { at } = this;
    if (at >= unread.length) return false;
    const type = String.fromCharCode(unread[at] as number);
    if (!TYPES.has(type)) throw new Unreadable(`a value of RESP cannot begin with byte ${unread[at]}`);
    const end = unread.indexOf(CRLF, Math.max(this.lineFrom, at));
    if (end < 0) {
      // The last byte may be the first half of the line's end.
      this.lineFrom = Math.max(at, unread.length - 1);
      return false;
    }
    if (TEXTS.has(type)) return this.skipText(unread, at, end);
    const parts = COLLECTIONS.get(type);
    this.toCome += parts === undefined ? -1 : Math.max(0, lengthAt(unread, at, end)) * parts - (type === '|' ? 0 : 1);
    if (this.toCome > this.frameBytes)
      throw new Unreadable(`a value with ${this.toCome} parts is more than frameBytes: ${this.frameBytes}`);
    this.at = end + CRLF.length;
    return true;
  }

  private skipText(unread: Buffer, at: number, end: number): boolean {
    const length = lengthAt(unread, at, end);
    if (length > this.frameBytes) throw tooLarge('a text', length, this.frameBytes);
    const after = length < 0 ? end + CRLF.length : end + CRLF.length + length + CRLF.length;
    if (unread.length < after) {
      this.lineFrom = end;
      return false;
    }
    if (unread.toString('latin1', after - CRLF.length, after) !== CRLF)
      throw new Unreadable(`a text of ${length} bytes does not end after them`);
    this.at = after;
    this.toCome -= 1;
    return true;
  }
}

/** Lines that announce a text of so many bytes: a bulk string, a verbatim string, a bulk error. */
const TEXTS = new Set(['$', '=', '!']);

/** Lines that announce so many values, and how many values each of them has: a map has keys, too. */
const COLLECTIONS = new Map([
  ['*', 1],
  ['~', 1],
  ['>', 1],
  ['%', 2],
  ['|', 2],
]);

const TYPES = new Set(['+', '-', ':', '_', ',', '#', '(', ...TEXTS, ...COLLECTIONS.keys()]);

/** The number in the line that begins at `at`; -1 stands for nothing. */
export function lengthAt(bytes: Buffer, at: number, end: number): number {
  const digits = bytes.toString('latin1', at + 1, end);
  const length = Number(digits);
  if (LENGTH.test(digits) && length >= -1) return length;
  throw new Unreadable(`${JSON.stringify(digits.slice(0, 40))} is no length`);
}
