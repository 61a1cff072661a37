import { expect, test } from 'vitest';
import { Random } from '../../../../kernel/data/random.ts';
import { bytesOf, messageOf } from '../frame-message.ts';
import { FrameStream } from '../frame-stream.ts';
import { http1 } from './http1.ts';

const codec = http1();
type Turn = readonly [side: 'client' | 'server', bytes: string];

/** The messages of a conversation, in chunks of random sizes. */
function conversation(turns: readonly Turn[], random?: Random): unknown[] {
  const readers = codec.open({ frameBytes: 10_000 });
  const streams = {
    client: new FrameStream(codec.name, readers.client, 10_000),
    server: new FrameStream(codec.name, readers.server, 10_000),
  };
  const messages: unknown[] = [];
  for (const [side, text] of turns)
    for (let at = 0, size = text.length; at < text.length; at += size) {
      if (random !== undefined) size = 1 + random.below(5);
      const chunk = Buffer.from(text.slice(at, at + size), 'latin1');
      messages.push(...streams[side].push(chunk).map((frame) => messageOf(codec, frame)));
    }
  const problem = streams.client.problem ?? streams.server.problem;
  return problem === undefined ? messages : [...messages, problem];
}

const keptAlive: readonly Turn[] = [
  ['client', 'PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcGET /y HTTP/1.0\r\n\r\n'],
  ['server', 'HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nz'],
  ['client', 'HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n\r\nGET /z HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['server', 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n'],
  [
    'server',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\nA;x=1\r\n0123456789\r\n0\r\nT: 1\r\n\r\n',
  ],
  ['client', 'PUT /x HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n'],
  ['server', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['client', 'okGET / HTTP/1.1\r\nHost: a\r\nX: 1\r\nY: 2\r\nX: 3\r\n\r\n'],
  ['server', 'HTTP/1.1 304 Not Modified\nEtag: x\n\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
];

const read = [
  { type: 'PUT /x', content: { headers: { Host: 'a', 'Content-Length': '3' }, body: 'abc' } },
  { type: 'GET /y', content: { version: '1.0', headers: {} } },
  { type: '204 No Content', content: { headers: {} } },
  { type: '200 OK', content: { headers: { 'content-length': '1' }, body: 'z' } },
  { type: 'HEAD /x', content: { headers: { Host: 'a' } } },
  { type: 'empty line', content: null, bytes: '\r\n' },
  { type: 'GET /z', content: { headers: { Host: 'a' } } },
  { type: '200 OK', content: { headers: { 'Content-Length': '99' } } },
  { type: '200 OK', content: { headers: { 'Transfer-Encoding': 'gzip, chunked' } } },
  { type: 'chunk', content: 'abc' },
  { type: 'chunk', content: '0123456789', bytes: 'A;x=1\r\n0123456789\r\n' },
  { type: 'last chunk', content: { trailers: ['T: 1'] } },
  { type: 'PUT /x', content: { headers: { Expect: '100-continue', 'Content-Length': '2' } } },
  { type: '100 Continue', content: { headers: {} } },
  { type: 'body', content: 'ok' },
  {
    type: 'GET /',
    content: { headers: { Host: 'a', X: ['1', '3'], Y: '2' } },
    bytes: 'GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\nY: 2\r\nX: 3\r\n\r\n',
  },
  { type: '304 Not Modified', content: { headers: { Etag: 'x' } }, bytes: 'HTTP/1.1 304 Not Modified\nEtag: x\n\n' },
  { type: '200 OK', content: { headers: { 'transfer-encoding': 'chunked' } } },
  { type: 'last chunk', content: null },
];

test('requests and responses are read from a connection that is kept alive', () => {
  expect(conversation(keptAlive)).toEqual(read);
  const random = Random.seeded(1, 1);
  for (let round = 0; round < 50; round++) expect(conversation(keptAlive, random)).toEqual(read);
  const sent = keptAlive.map(([, text]) => text).join('');
  const passed = conversation(keptAlive).map((message) => Buffer.from(bytesOf(codec, message)).toString('latin1'));
  expect(passed.join('')).toBe(sent);
});

test('bytes follow an upgrade, a CONNECT, and a head without a length', () => {
  const upgrade: Turn[] = [
    ['client', 'GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n'],
    ['server', 'HTTP/1.1 101 Switching Protocols\r\n\r\n\u0081\u0001a'],
    ['client', '\u0001'],
  ];
  expect(conversation(upgrade).slice(2)).toEqual([
    { type: 'data', content: { base64: 'gQFh' } },
    { type: 'data', content: '\u0001' },
  ]);
  const tunnel: Turn[] = [
    ['client', 'CONNECT a:1 HTTP/1.1\r\n\r\n'],
    ['server', 'HTTP/1.1 200 OK\r\n\r\nx'],
  ];
  expect(conversation(tunnel).at(-1)).toEqual({ type: 'data', content: 'x' });
  const untilClose: Turn[] = [
    ['client', 'GET / HTTP/1.0\r\n\r\n'],
    ['server', 'HTTP/1.0 200 OK\r\n\r\nabc'],
  ];
  expect(conversation(untilClose).at(-1)).toEqual({ type: 'data', content: 'abc' });
});

test('bytes that are no HTTP/1 are passed on, with the reason', () => {
  const problems: [Turn, string][] = [
    [['client', '\u0016\u0003\u0001'], '"\\u0016\\u0003\\u0001" begins no message of HTTP/1'],
    [['client', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], '"PRI * HTTP/2.0" begins no message of HTTP/1'],
    [['server', 'SSH-2.0'], '"SSH-2.0" begins no message of HTTP/1'],
    [['client', 'GET / HTTP/1.1\r\ncontent-length: 1, 2\r\n\r\n'], 'a message has the lengths 1 and 2'],
    [['client', 'GET / HTTP/1.1\r\ncontent-length: x\r\n\r\n'], '"x" is no length of a body'],
    [['client', 'GET / HTTP/1.1\r\nno header\r\n\r\n'], '"no header" is no header of HTTP/1'],
    [['client', 'GET / HTTP/1.1\r\ntransfer-encoding: gzip\r\n\r\n'], 'a request cannot have a body that is gzip'],
    [['client', 'GET / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nx\r\n'], 'a chunk has no length'],
  ];
  for (const [turn, problem] of problems) expect(conversation([turn]).at(-1)).toBe(problem);
});

test('users send requests with as little as they like', () => {
  const written = (message: unknown): string => Buffer.from(bytesOf(codec, message)).toString();
  expect(written('GET /x')).toBe('GET /x HTTP/1.1\r\nhost: culprit\r\n\r\n');
  expect(written({ type: 'PUT /x', content: { body: 'ä' } })).toBe(
    'PUT /x HTTP/1.1\r\nhost: culprit\r\ncontent-length: 2\r\n\r\nä',
  );
  expect(() => written({ type: 'get', content: {} })).toThrow(
    "http1() cannot write the message: \"get\" is neither 'GET /path' nor '200 OK'.",
  );
});
