import { asData, type BytesAsData } from '../bytes-as-data.ts';
import { Unreadable } from '../frame-codec.ts';

/** The first lines of a request or a response. */
export interface Head {
  /** The method and the target of a request; the status and its reason of a response. */
  readonly type: string;
  readonly method: string;
  /** 0 for a request. */
  readonly status: number;
  readonly version: string;
  readonly headers: Headers;
  /** How many bytes it has, with the empty line at its end. */
  readonly length: number;
}

/** By name as it was sent; a list where a name occurs several times. */
export type Headers = Readonly<Record<string, BytesAsData | readonly BytesAsData[]>>;

const HEAD_MAX = 256 * 1024;
const REQUEST = /^([!#$%&'*+.^_`|~\w-]+) (\S+) HTTP\/(1\.[01])$/;
const RESPONSE = /^HTTP\/(1\.[01]) (\d{3})(?: (.*))?$/;
const LF = 0x0a;
const CR = 0x0d;

/** Finds the end of a head, and remembers how far it has looked. */
export class HeadReader {
  private searched = 0;

  constructor(private readonly side: 'client' | 'server') {}

  /** Undefined if the head is not complete. */
  read(unread: Buffer): Head | undefined {
    this.checkBeginning(unread);
    for (let at = unread.indexOf(LF, this.searched); at >= 0; at = unread.indexOf(LF, at + 1)) {
      const end = emptyLineAfter(unread, at);
      if (end === undefined) continue;
      this.searched = 0;
      return headOf(unread.subarray(0, end), this.side);
    }
    if (unread.length > HEAD_MAX) throw new Unreadable(`the head of a message has more than ${HEAD_MAX} bytes`);
    // The line that ends the head may be there in part.
    this.searched = Math.max(0, unread.length - 2);
    return undefined;
  }

  /** Other protocols are noticed at once: their bytes may never have two line ends. */
  private checkBeginning(unread: Buffer): void {
    const beginning = unread.toString('latin1', 0, 7);
    const isPossible = this.side === 'client' ? /^[!-~]+ ?/.test(beginning) : 'HTTP/1.'.startsWith(beginning);
    if (!isPossible) throw new Unreadable(`${JSON.stringify(beginning)} begins no message of HTTP/1`);
  }
}

/** Where the head ends, if the line end at `at` is followed by an empty line. */
function emptyLineAfter(unread: Buffer, at: number): number | undefined {
  if (unread[at + 1] === LF) return at + 2;
  return unread[at + 1] === CR && unread[at + 2] === LF ? at + 3 : undefined;
}

function headOf(bytes: Buffer, side: 'client' | 'server'): Head {
  const [first = '', ...lines] = bytes.toString('latin1').split(/\r?\n/);
  const fields = headersIn(lines.slice(0, -2));
  if (side === 'client') {
    const [, method = '', target = '', version = ''] = REQUEST.exec(first) ?? notHttp(first);
    return { type: `${method} ${target}`, method, status: 0, version, headers: fields, length: bytes.length };
  }
  const [, version = '', status = '', reason = ''] = RESPONSE.exec(first) ?? notHttp(first);
  const type = reason === '' ? status : `${status} ${reason}`;
  return { type, method: '', status: Number(status), version, headers: fields, length: bytes.length };
}

function notHttp(line: string): never {
  throw new Unreadable(`${JSON.stringify(line.slice(0, 60))} begins no message of HTTP/1`);
}

function headersIn(lines: readonly string[]): Headers {
  const fields = new Map<string, BytesAsData[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0) throw new Unreadable(`${JSON.stringify(line.slice(0, 60))} is no header of HTTP/1`);
    const name = line.slice(0, colon);
    const value = asData(Buffer.from(line.slice(colon + 1).trim(), 'latin1'));
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? (values[0] as BytesAsData) : values]),
  );
}

/** The values of a header, by its name in lower case: the name's case is free. */
export const valuesOf = (headers: Headers, name: string): readonly string[] =>
  Object.entries(headers)
    .filter(([one]) => one.toLowerCase() === name)
    .flatMap(([, value]) => (Array.isArray(value) ? (value as readonly BytesAsData[]) : [value as BytesAsData]))
    .map((value) => (typeof value === 'string' ? value : ''));
