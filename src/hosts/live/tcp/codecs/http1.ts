import { asData } from '../bytes-as-data.ts';
import { Unreadable, tooLarge, type FrameCodec, type FrameReader, type ReadFrame } from '../frame-codec.ts';
import { HeadReader, valuesOf, type Head } from './http1-head.ts';
import { bytesOf } from './http1-writer.ts';

/**
 * HTTP/1. A request is { type: 'GET /x', content: { headers, body } }, a response { type: '200 OK', … }. Where a body has no length
 * beforehand, its head, its chunks and its end are frames of their own; bytes are, after an upgrade.
 */
export const http1 = (): FrameCodec => ({
  name: 'http1()',
  open({ frameBytes }) {
    const exchange: Exchange = { methods: [], isUpgraded: false };
    return {
      client: new MessageReader('client', exchange, frameBytes).reader,
      server: new MessageReader('server', exchange, frameBytes).reader,
    };
  },
  bytesOf,
});

/** What the directions of a connection know of one another. */
interface Exchange {
  /** The methods of requests that have no response yet. */
  readonly methods: string[];
  /** The connection speaks another protocol from now on. */
  isUpgraded: boolean;
}

/** What comes after a head that is a frame of its own. */
type Body =
  | { readonly kind: 'chunks' }
  | { readonly kind: 'sized'; readonly size: number }
  | { readonly kind: 'until close' };

class MessageReader {
  private readonly heads: HeadReader;
  /** The head of the message at the beginning of the unread bytes, if its body is not complete. */
  private head: Head | undefined;
  /** The body of the message whose head was read. */
  private body: Body | undefined;

  constructor(
    private readonly side: 'client' | 'server',
    private readonly exchange: Exchange,
    private readonly frameBytes: number,
  ) {
    this.heads = new HeadReader(side);
  }

  readonly reader: FrameReader = (unread) => {
    if (this.body !== undefined) return this.part(unread, this.body);
    if (this.exchange.isUpgraded) return data(unread);
    if (this.head === undefined) {
      const blank = emptyLine.exec(unread.toString('latin1', 0, 2))?.[0];
      if (blank === '\r') return undefined;
      if (blank !== undefined) return { type: 'empty line', content: null, length: blank.length };
      this.head = this.heads.read(unread);
      if (this.head === undefined) return undefined;
    }
    return this.message(unread, this.head);
  };

  /** A head with its body, or a head alone whose body follows. */
  private message(unread: Buffer, head: Head): ReadFrame | undefined {
    const body = this.bodyAfter(head);
    const isSeparate = body.kind !== 'sized' || (body.size > 0 && waitsForLeave(head));
    const end = head.length + (isSeparate ? 0 : body.size);
    if (unread.length < end) return undefined;
    this.head = undefined;
    if (isSeparate) this.body = body;
    this.noteExchange(head);
    const content = {
      ...(head.version === '1.1' ? {} : { version: head.version }),
      headers: head.headers,
      ...(isSeparate || end === head.length ? {} : { body: asData(unread.subarray(head.length, end)) }),
    };
    return { type: head.type, content, length: end };
  }

  private noteExchange({ method, status }: Head): void {
    const { methods } = this.exchange;
    if (this.side === 'client') methods.push(method);
    else if (status === 101 || (methods[0] === 'CONNECT' && status >= 200 && status < 300))
      this.exchange.isUpgraded = true;
    else if (status >= 200) methods.shift();
  }

  /** The rules of RFC 9112, section 6.3. */
  private bodyAfter({ status, headers }: Head): Body {
    const isServer = this.side === 'server';
    if (isServer && hasNoBody(status, this.exchange.methods[0])) return { kind: 'sized', size: 0 };
    const encodings = valuesOf(headers, 'transfer-encoding').join(',').toLowerCase();
    if (/(?:^|[\s,])chunked\s*$/.test(encodings)) return { kind: 'chunks' };
    if (encodings !== '' && !isServer) throw new Unreadable(`a request cannot have a body that is ${encodings}`);
    const sizes = new Set(encodings === '' ? valuesOf(headers, 'content-length').flatMap(sizesIn) : []);
    if (sizes.size === 0) return isServer ? { kind: 'until close' } : { kind: 'sized', size: 0 };
    const [size = 0] = sizes;
    if (sizes.size > 1) throw new Unreadable(`a message has the lengths ${[...sizes].join(' and ')}`);
    if (size > this.frameBytes) throw tooLarge('a body', size, this.frameBytes);
    return { kind: 'sized', size };
  }

  private part(unread: Buffer, body: Body): ReadFrame | undefined {
    if (body.kind === 'until close') return data(unread);
    if (body.kind === 'chunks') return this.chunk(unread);
    if (unread.length < body.size) return undefined;
    this.body = undefined;
    return { type: 'body', content: asData(unread.subarray(0, body.size)), length: body.size };
  }

  private chunk(unread: Buffer): ReadFrame | undefined {
    const end = unread.subarray(0, CHUNK_LINE_MAX).indexOf('\r\n');
    if (end < 0 && unread.length >= CHUNK_LINE_MAX) throw new Unreadable('a chunk has no length');
    if (end < 0) return undefined;
    const digits = /^[\da-f]{1,8}/i.exec(unread.toString('latin1', 0, end))?.[0];
    if (digits === undefined) throw new Unreadable('a chunk has no length');
    const size = Number.parseInt(digits, 16);
    if (size > this.frameBytes) throw tooLarge('a chunk', size, this.frameBytes);
    return size === 0 ? this.lastChunk(unread, end) : fullChunk(unread, end + 2, size);
  }

  /** The chunk of length 0, the trailers after it, and an empty line. */
  private lastChunk(unread: Buffer, end: number): ReadFrame | undefined {
    const from = end + 2;
    const isBare = unread.toString('latin1', from, from + 2) === '\r\n';
    const at = isBare ? from - 2 : unread.indexOf('\r\n\r\n', from);
    if (at < 0 && unread.length > TRAILERS_MAX) throw new Unreadable(`trailers have more than ${TRAILERS_MAX} bytes`);
    if (at < 0) return undefined;
    this.body = undefined;
    const trailers = isBare ? [] : unread.toString('latin1', from, at).split('\r\n');
    return { type: 'last chunk', content: trailers.length === 0 ? null : { trailers }, length: at + 4 };
  }
}

const CHUNK_LINE_MAX = 1024;
const TRAILERS_MAX = 64 * 1024;

/** Some clients send one before a request. */
const emptyLine = /^(?:\n|\r\n|\r$)/;

function fullChunk(unread: Buffer, from: number, size: number): ReadFrame | undefined {
  const end = from + size;
  if (unread.length < end + 2) return undefined;
  if (unread.toString('latin1', end, end + 2) !== '\r\n') throw new Unreadable('a chunk does not end after its length');
  return { type: 'chunk', content: asData(unread.subarray(from, end)), length: end + 2 };
}

/** Bytes without frames: each chunk is one, as the operating system hands it over. */
const data = (unread: Buffer): ReadFrame => ({ type: 'data', content: asData(unread), length: unread.length });

const hasNoBody = (status: number, method: string | undefined): boolean =>
  status < 200 ||
  status === 204 ||
  status === 304 ||
  (method === 'HEAD' && status >= 200) ||
  (method === 'CONNECT' && status >= 200 && status < 300);

/** The client waits for a response before it sends the body. */
const waitsForLeave = ({ headers }: Head): boolean =>
  valuesOf(headers, 'expect').some((value) => value.toLowerCase() === '100-continue');

const sizesIn = (value: string): number[] =>
  value.split(',').map((one) => {
    const size = one.trim();
    if (/^\d{1,15}$/.test(size)) return Number(size);
    throw new Unreadable(`${JSON.stringify(size.slice(0, 40))} is no length of a body`);
  });
