import { asBytes, asData, isBytesAsData, type BytesAsData } from '../bytes-as-data.ts';
import { CannotWrite, Unreadable } from '../frame-codec.ts';
import { lengthAt } from './resp-scanner.ts';

/**
 * A value of RESP as plain data. A bulk string is text (or base64, if it is no UTF-8), an array a list, a number a number, and
 * nothing is null; other types say what they are.
 */
export type RespValue =
  | null
  | boolean
  | number
  | BytesAsData
  | readonly RespValue[]
  | { readonly status: BytesAsData }
  | { readonly error: BytesAsData }
  | { readonly integer: string }
  | { readonly double: string }
  | { readonly verbatim: BytesAsData }
  | { readonly map: readonly (readonly [RespValue, RespValue])[] }
  | { readonly set: readonly RespValue[] }
  | { readonly push: readonly RespValue[] }
  | { readonly attributes: readonly (readonly [RespValue, RespValue])[]; readonly value: RespValue };

/** Deeper values would not be plain data. */
const DEPTH_MAX = 40;

/** Reads a value that is complete. */
export class RespParser {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  value(depth = 0): RespValue {
    if (depth > DEPTH_MAX) throw new Unreadable(`a value of RESP is more than ${DEPTH_MAX} deep`);
    const type = String.fromCharCode(this.bytes[this.at] as number);
    const start = this.at;
    const end = this.bytes.indexOf('\r\n', start);
    this.at = end + 2;
    const line = (): BytesAsData => asData(this.bytes.subarray(start + 1, end));
    switch (type) {
      case '+':
        return { status: line() };
      case '-':
        return { error: line() };
      case ':':
      case '(':
        return integerOf(this.bytes.toString('latin1', start + 1, end));
      case ',':
        return { double: this.bytes.toString('latin1', start + 1, end) };
      case '#':
        return this.bytes[start + 1] === 0x74;
      case '_':
        return null;
      default:
        return this.announced(type, lengthAt(this.bytes, start, end), depth);
    }
  }

  /** A text or a collection, of a length that its first line has said. */
  private announced(type: string, length: number, depth: number): RespValue {
    if (length < 0) return null;
    switch (type) {
      case '$':
        return this.text(length);
      case '=':
        return { verbatim: this.text(length) };
      case '!':
        return { error: this.text(length) };
      case '%':
        return { map: this.pairs(length, depth) };
      case '~':
        return { set: this.list(length, depth) };
      case '>':
        return { push: this.list(length, depth) };
      case '|':
        return { attributes: this.pairs(length, depth), value: this.value(depth + 1) };
      default:
        return this.list(length, depth);
    }
  }

  private text(length: number): BytesAsData {
    const from = this.at;
    this.at += length + 2;
    return asData(this.bytes.subarray(from, from + length));
  }

  private list(length: number, depth: number): RespValue[] {
    const values: RespValue[] = [];
    for (let nth = 0; nth < length; nth++) values.push(this.value(depth + 1));
    return values;
  }

  private pairs(length: number, depth: number): [RespValue, RespValue][] {
    const pairs: [RespValue, RespValue][] = [];
    for (let nth = 0; nth < length; nth++) pairs.push([this.value(depth + 1), this.value(depth + 1)]);
    return pairs;
  }
}

const integerOf = (digits: string): RespValue =>
  Number.isSafeInteger(Number(digits)) && String(Number(digits)) === digits ? Number(digits) : { integer: digits };

const CRLF = Buffer.from('\r\n');

/** Writes values of RESP one after another. */
export class RespWriter {
  private readonly parts: Uint8Array[] = [];

  result(): Buffer {
    return Buffer.concat(this.parts);
  }

  /** A command: an array of bulk strings. */
  command(args: readonly unknown[]): RespWriter {
    this.line('*', String(args.length));
    for (const arg of args) this.text('$', argumentOf(arg));
    return this;
  }

  value(value: unknown): RespWriter {
    if (value === null) return this.line('$', '-1');
    if (typeof value === 'number') return this.line(Number.isInteger(value) ? ':' : ',', String(value));
    if (typeof value === 'boolean') return this.line('#', value ? 't' : 'f');
    if (isBytesAsData(value)) return this.text('$', asBytes(value));
    if (Array.isArray(value)) return this.list('*', value);
    return this.tagged(value);
  }

  /** A line that is complete in itself. */
  line(type: string, content: BytesAsData): RespWriter {
    const bytes = asBytes(content);
    if (bytes.includes('\n') || bytes.includes('\r')) throw cannot('a status or an error has one line');
    this.parts.push(Buffer.from(type), bytes, CRLF);
    return this;
  }

  private tagged(value: unknown): RespWriter {
    const [[tag, inner] = ['', undefined], more] = Object.entries(Object(value) as object) as [string, unknown][];
    if (more?.[0] === 'value' && tag === 'attributes') return this.pairs('|', inner).value(more[1]);
    if (more === undefined) {
      const write = tagged.get(tag);
      if (write !== undefined) return write(this, inner);
    }
    throw cannot(`${JSON.stringify(value) ?? String(value)} is no value of RESP`);
  }

  text(type: string, bytes: Uint8Array): RespWriter {
    this.parts.push(Buffer.from(`${type}${bytes.length}\r\n`), bytes, CRLF);
    return this;
  }

  list(type: string, values: unknown): RespWriter {
    if (!Array.isArray(values)) throw cannot('it has a list that is none');
    this.line(type, String(values.length));
    for (const value of values) this.value(value);
    return this;
  }

  pairs(type: string, pairs: unknown): RespWriter {
    if (!Array.isArray(pairs)) throw cannot('it has a map that is no list of pairs');
    this.line(type, String(pairs.length));
    for (const pair of pairs as unknown[]) {
      if (!Array.isArray(pair) || pair.length !== 2) throw cannot('it has a map that is no list of pairs');
      this.value(pair[0]).value(pair[1]);
    }
    return this;
  }
}

const tagged = new Map<string, (writer: RespWriter, inner: unknown) => RespWriter>([
  ['status', (writer, inner) => writer.line('+', dataIn(inner))],
  ['error', (writer, inner) => writer.line('-', dataIn(inner))],
  ['integer', (writer, inner) => writer.line(':', dataIn(inner))],
  ['double', (writer, inner) => writer.line(',', dataIn(inner))],
  ['verbatim', (writer, inner) => writer.text('=', asBytes(dataIn(inner)))],
  ['map', (writer, inner) => writer.pairs('%', inner)],
  ['set', (writer, inner) => writer.list('~', inner)],
  ['push', (writer, inner) => writer.list('>', inner)],
]);

function dataIn(value: unknown): BytesAsData {
  if (isBytesAsData(value)) return value;
  throw cannot(`${JSON.stringify(value) ?? String(value)} is neither text nor { base64 }`);
}

function argumentOf(arg: unknown): Buffer {
  if (typeof arg === 'number' || typeof arg === 'bigint') return Buffer.from(String(arg));
  if (isBytesAsData(arg)) return asBytes(arg);
  throw cannot(`the argument ${JSON.stringify(arg) ?? String(arg)} of a command is neither text nor a number`);
}

export const cannot = (problem: string): CannotWrite =>
  new CannotWrite(
    'resp()',
    `${problem}.`,
    "Send a command as a list of texts and numbers, such as ['SET', 'x', 1]; { base64 } stands for bytes that are no text.",
  );
