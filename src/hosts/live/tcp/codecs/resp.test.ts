import { expect, test } from 'vitest';
import { bytesOf, fingerprintOf, messageOf } from '../frame-message.ts';
import { FrameStream } from '../frame-stream.ts';
import { resp } from './resp.ts';

const codec = resp();

function messages(side: 'client' | 'server', text: string | Buffer): unknown[] {
  const stream = new FrameStream(codec.name, codec.open({ frameBytes: 10_000 })[side], 10_000);
  const read = stream.push(Buffer.from(text)).map((frame) => messageOf(codec, frame));
  return stream.problem === undefined ? read : [...read, stream.problem];
}

const bulk = (...words: string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;

test('commands are lists of texts, named by their first word', () => {
  expect(messages('client', bulk('set', 'x', 'ä'))).toEqual([{ type: 'SET', content: ['set', 'x', 'ä'] }]);
  expect(messages('client', Buffer.from('*2\r\n$3\r\nGET\r\n$1\r\n\xff\r\n', 'latin1'))).toEqual([
    { type: 'GET', content: ['GET', { base64: '/w==' }] },
  ]);
  expect(messages('client', 'SET x "a b"\r\n')).toEqual([
    { type: 'SET', content: ['SET', 'x', 'a b'], bytes: 'SET x "a b"\r\n' },
  ]);
});

test('replies of both versions have a type and readable content', () => {
  const sent =
    '+OK\r\n-ERR no\r\n:7\r\n$1\r\nx\r\n$-1\r\n*2\r\n:1\r\n+a\r\n%1\r\n$1\r\nk\r\n#t\r\n,1.5\r\n_\r\n>1\r\n$1\r\nm\r\n';
  expect(messages('server', sent)).toEqual([
    { type: 'status', content: 'OK' },
    { type: 'error', content: 'ERR no' },
    { type: 'integer', content: 7 },
    { type: 'bulk', content: 'x' },
    { type: 'null', content: null },
    { type: 'array', content: [1, { status: 'a' }] },
    { type: 'map', content: [['k', true]] },
    { type: 'double', content: '1.5' },
    { type: 'null', content: null, bytes: '_\r\n' },
    { type: 'push', content: ['m'] },
  ]);
});

test('a replica gets a file and then commands', () => {
  const id = 'a'.repeat(40);
  const mark = 'b'.repeat(40);
  const commands = '*1\r\n$4\r\nPING\r\n';
  const sized = `+FULLRESYNC ${id} 0\r\n\n\n$5\r\nREDIS${commands}`;
  expect(messages('server', sized)).toEqual([
    { type: 'status', content: `FULLRESYNC ${id} 0` },
    { type: 'empty line', content: [], bytes: '\n' },
    { type: 'empty line', content: [], bytes: '\n' },
    { type: 'RDB', content: '5 bytes', bytes: '$5\r\nREDIS' },
    { type: 'PING', content: ['PING'] },
  ]);
  const marked = `+FULLRESYNC ${id} 0\r\n$EOF:${mark}\r\nREDIS${mark}${commands}`;
  expect(messages('server', marked).slice(1)).toEqual([
    { type: 'RDB', content: '5 bytes', bytes: `$EOF:${mark}\r\nREDIS${mark}` },
    { type: 'PING', content: ['PING'] },
  ]);
  const same = fingerprintOf(codec);
  expect(same({ type: 'status', content: `FULLRESYNC ${id} 0` })).toEqual(
    same({ type: 'status', content: `FULLRESYNC ${mark} 7` }),
  );
  expect(same({ type: 'PSYNC', content: ['PSYNC', id, '1'] })).toEqual(
    same({ type: 'PSYNC', content: ['PSYNC', mark, '2'] }),
  );
  expect(same({ type: 'SET', content: ['SET', 'x', '1'] })).not.toEqual(
    same({ type: 'SET', content: ['SET', 'x', '2'] }),
  );
});

test('messages of the user count as they are', () => {
  const same = fingerprintOf(codec);
  for (const message of [{ type: 'write', value: 8 }, ['SET', 'x', 1], { type: 'stop' }, 'go', null])
    expect(same(message)).toEqual(message);
});

test('users send commands as lists', () => {
  expect(Buffer.from(bytesOf(codec, ['SET', 'x', 1])).toString()).toBe(bulk('SET', 'x', '1'));
  expect(Buffer.from(bytesOf(codec, { type: 'SET', content: ['SET', 'x', 1] })).toString()).toBe(bulk('SET', 'x', '1'));
  expect(() => bytesOf(codec, { type: 'SET' })).toThrow(
    'resp() cannot write the message: {"type":"SET"} is no command.',
  );
  expect(() => bytesOf(codec, ['SET', 'x', null])).toThrow(
    'the argument null of a command is neither text nor a number',
  );
});

test('bytes that are no RESP are passed on', () => {
  expect(messages('server', '+OK\r\nHTTP/1.1 400\r\n')).toEqual([
    { type: 'status', content: 'OK' },
    { type: 'raw', content: '14 bytes', bytes: 'HTTP/1.1 400\r\n' },
    'a value of RESP cannot begin with byte 72',
  ]);
  expect(messages('server', `${'*1\r\n'.repeat(60)}:1\r\n`).at(-1)).toBe('a value of RESP is more than 40 deep');
  expect(messages('server', '$x\r\n').at(-1)).toBe('"x" is no length');
});
