import { asBytes, isBytesAsData, type BytesAsData } from '../bytes-as-data.ts';
import { CannotWrite } from '../frame-codec.ts';

/** The bytes of a request, a response, or a part of a body. A text alone is a request without a body: `GET /x`. */
export function bytesOf(message: unknown): Buffer {
  const { type, content } = partsOf(message);
  if (type === 'data' || type === 'body') return asBytes(dataIn(content));
  if (type === 'chunk') return chunkOf(asBytes(dataIn(content)));
  if (type === 'last chunk') return Buffer.from(`0\r\n${trailersIn(content)}\r\n`, 'latin1');
  return messageOf(type, content);
}

function messageOf(type: string, content: unknown): Buffer {
  const { version = '1.1', headers, body } = Object(content ?? {}) as Record<string, unknown>;
  const isResponse = /^\d{3}(?: |$)/.test(type);
  if (!isResponse && !/^\S+ \S+$/.test(type))
    throw cannot(`${JSON.stringify(type)} is neither 'GET /path' nor '200 OK'`);
  const payload = body === undefined ? Buffer.alloc(0) : asBytes(dataIn(body));
  const lines = [isResponse ? `HTTP/${String(version)} ${type}` : `${type} HTTP/${String(version)}`];
  // What was read has headers; a user may leave them to us.
  for (const [name, value] of Object.entries(Object(headers ?? { host: 'culprit' }) as object)) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value as unknown])
      lines.push(headerLine(name, one));
  }
  const names = new Set(Object.keys(Object(headers ?? {}) as object).map((name) => name.toLowerCase()));
  if (payload.length > 0 && !names.has('content-length') && !names.has('transfer-encoding'))
    lines.push(`content-length: ${payload.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), payload]);
}

function headerLine(name: string, value: unknown): string {
  const text = typeof value === 'number' ? String(value) : asBytes(dataIn(value)).toString('latin1');
  if (/[\r\n]/.test(text) || /[\s:]/.test(name))
    throw cannot(`the header ${JSON.stringify(name)} has more than one line`);
  return `${name}: ${text}`;
}

const chunkOf = (data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);

function trailersIn(content: unknown): string {
  const { trailers } = Object(content ?? {}) as { trailers?: unknown };
  return Array.isArray(trailers) ? trailers.map((line) => `${String(line)}\r\n`).join('') : '';
}

function partsOf(message: unknown): { type: string; content: unknown } {
  if (typeof message === 'string') return { type: message, content: undefined };
  if (typeof message === 'object' && message !== null && 'type' in message && typeof message.type === 'string')
    return { type: message.type, content: 'content' in message ? message.content : undefined };
  throw cannot('it has no type');
}

function dataIn(value: unknown): BytesAsData {
  if (isBytesAsData(value)) return value;
  throw cannot(`${JSON.stringify(value) ?? String(value)} is neither text nor { base64 }`);
}

const cannot = (problem: string): CannotWrite =>
  new CannotWrite(
    'http1()',
    `${problem}.`,
    "Send { type: 'PUT /x', content: { headers: { host: 'a' }, body: '1' } }, or 'GET /x' for a request without a body.",
  );
