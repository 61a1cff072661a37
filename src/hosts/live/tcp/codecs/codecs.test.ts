import { Random } from '../../../../kernel/data/random.ts';
import { expect, test } from 'vitest';
import { copyData } from '../../../../kernel/data/copy.ts';
import { Unreadable, type FrameCodec } from '../frame-codec.ts';
import { bytesOf, messageOf } from '../frame-message.ts';
import { FrameStream, type Frame } from '../frame-stream.ts';
import { http1 } from './http1.ts';
import { jsonLines } from './json-lines.ts';
import { lengthPrefixed } from './length-prefixed.ts';
import { raw } from './raw.ts';
import { resp } from './resp.ts';

type Side = 'client' | 'server';

const LIMIT = 4096;

/** Reads frames from both sides of one connection. */
function reading(codec: FrameCodec, frameBytes = LIMIT): Record<Side, FrameStream> {
  const { client, server } = codec.open({ frameBytes });
  return {
    client: new FrameStream(codec.name, client, frameBytes),
    server: new FrameStream(codec.name, server, frameBytes),
  };
}

function chunksOf(bytes: Buffer, random: Random): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = 1 + random.below(random.below(3) === 0 ? 3 : 60);
    chunks.push(Buffer.from(bytes.subarray(at, at + size)));
    at += size;
  }
  return chunks;
}

const chunked = (stream: FrameStream, bytes: Buffer, random: Random): Frame[] =>
  chunksOf(bytes, random).flatMap((chunk) => stream.push(chunk));

const word = (random: Random): string =>
  random.pick(['x', 'GET', 'näme', '', 'a b', '\r\n', '$5', '*', '\u0000', '😀']);
const blob = (random: Random): Buffer =>
  random.below(3) === 0
    ? Buffer.from(Array.from({ length: random.below(20) }, () => random.below(256)))
    : Buffer.from(word(random));

const bulk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n')]);

function command(random: Random): Buffer {
  if (random.below(5) === 0)
    return Buffer.from(random.pick(['PING\r\n', 'set  x "a b"\n', '\r\n', "GET 'q\r\n", '*0\r\n']));
  const args = Array.from({ length: 1 + random.below(4) }, () => bulk(blob(random)));
  return Buffer.concat([Buffer.from(`*${args.length}\r\n`), ...args]);
}

const lines = [
  '+OK',
  '-ERR no',
  ':5',
  ':-0',
  ':99999999999999999999',
  '$-1',
  '*-1',
  '_',
  '#t',
  '#f',
  ',1.5',
  ',inf',
  '(12',
];

function reply(random: Random, depth = 0): Buffer {
  const of = random.below(depth > 3 ? 2 : 4);
  if (of === 0) return Buffer.from(`${random.pick(lines)}\r\n`);
  if (of === 1) {
    const text = bulk(blob(random));
    text[0] = random.pick(['$', '=', '!']).charCodeAt(0);
    return text;
  }
  const type = random.pick(['*', '~', '>', '%', '|']);
  const count = random.below(4);
  const values = type === '%' ? 2 * count : type === '|' ? 2 * count + 1 : count;
  return Buffer.concat([
    Buffer.from(`${type}${count}\r\n`),
    ...Array.from({ length: values }, () => reply(random, depth + 1)),
  ]);
}

const json = (random: Random, depth = 0): unknown => {
  const of = random.below(depth > 2 ? 4 : 6);
  if (of === 4) return Array.from({ length: random.below(4) }, () => json(random, depth + 1));
  if (of === 5) return { type: word(random), [word(random)]: json(random, depth + 1), ['__proto__']: 1 };
  return [null, random.float() * 1e9, word(random), random.below(2) === 0][of];
};

const prefixes = ([1, 2, 4, 8] as const).flatMap((bytes) =>
  (['big', 'little'] as const).flatMap((endian) =>
    [false, true].map((includesHeader) => ({ bytes, endian, includesHeader })),
  ),
);

/** Frames of a format, as somebody else would write them. */
const formats: readonly (readonly [FrameCodec, Side, (random: Random) => Buffer])[] = [
  [resp(), 'client', command],
  [resp(), 'server', reply],
  [
    jsonLines(),
    'client',
    (random) =>
      Buffer.from(` ${JSON.stringify(json(random))}${random.pick(['\n', '\r\n', '\n'])}`.slice(random.below(2))),
  ],
  ...prefixes.map(
    (prefix) =>
      [
        lengthPrefixed(prefix),
        'server',
        (random: Random) =>
          Buffer.from(lengthPrefixed(prefix).bytesOf({ content: { base64: blob(random).toString('base64') } })),
      ] as const,
  ),
];

test('frames are read the same from chunks of any size, and have their bytes as messages of the kernel', () => {
  const random = Random.seeded(1, 1);
  for (const [codec, side, draw] of formats)
    for (let round = 0; round < 25; round++) {
      const sent = Array.from({ length: 1 + random.below(6) }, () => draw(random));
      const all = Buffer.concat(sent);
      const stream = reading(codec)[side];
      const frames = chunked(stream, all, random);
      expect(frames.map(({ bytes }) => bytes.toString('hex'))).toEqual(sent.map((bytes) => bytes.toString('hex')));
      expect([stream.problem, stream.rest.length]).toEqual([undefined, 0]);
      expect(frames.map(({ type, content }) => [type, content])).toEqual(
        reading(codec)
          [side].push(all)
          .map(({ type, content }) => [type, content]),
      );
      const messages = frames.map((frame) => copyData(messageOf(codec, frame), 'a test', 'a message'));
      expect(Buffer.concat(messages.map((message) => bytesOf(codec, message))).equals(all)).toBe(true);
    }
});

test('bytes that are no frames are passed on, and nothing is thrown', () => {
  const random = Random.seeded(2, 1);
  const codecs = [resp(), jsonLines(), http1(), raw(), lengthPrefixed({ bytes: 2, json: true })];
  const problems = new Set<string>();
  for (let round = 0; round < 2_000; round++) {
    const codec = random.pick(codecs);
    const side = random.pick(['client', 'server'] as const);
    const all = damaged(codec, side, random);
    const stream = reading(codec, 200)[side];
    const frames = chunked(stream, all, random);
    const passed = Buffer.concat([
      ...frames.map((frame) => Buffer.from(bytesOf(codec, messageOf(codec, frame)))),
      stream.rest,
    ]);
    expect(passed.equals(all)).toBe(true);
    if (stream.problem !== undefined) problems.add(stream.problem.replaceAll(/"(?:[^"\\]|\\.)*"|\d+/g, '…'));
  }
  expect(problems.size).toBeGreaterThan(10);
});

function damaged(codec: FrameCodec, side: Side, random: Random): Buffer {
  const draw = formats.find(([{ name }, of]) => name === codec.name && of === side)?.[2];
  const messages = [
    'GET / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabc',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  ];
  const bytes = Buffer.concat([
    draw?.(random) ?? Buffer.from(random.pick(messages)),
    draw?.(random) ?? Buffer.from(random.pick(messages)),
  ]);
  for (let hit = random.below(4); hit > 0 && bytes.length > 0; hit--)
    bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

test('a frame larger than the limit is passed on, and the limit is named', () => {
  const large = Buffer.from('x'.repeat(500));
  const frames: readonly [FrameCodec, Side, string | Buffer, string][] = [
    [resp(), 'server', '$500\r\n', 'a text of 500 bytes is more than frameBytes: 100'],
    [resp(), 'server', '*500\r\n', 'a value with 500 parts is more than frameBytes: 100'],
    [resp(), 'client', large, 'an unfinished frame of 500 bytes is more than frameBytes: 100'],
    [jsonLines(), 'client', large, 'an unfinished frame of 500 bytes is more than frameBytes: 100'],
    [lengthPrefixed({ bytes: 2 }), 'client', '\u0001\u0000', 'a frame of 256 bytes is more than frameBytes: 100'],
    [
      http1(),
      'client',
      'PUT / HTTP/1.1\r\ncontent-length: 500\r\n\r\n',
      'a body of 500 bytes is more than frameBytes: 100',
    ],
  ];
  for (const [codec, side, sent, problem] of frames) {
    const stream = reading(codec, 100)[side];
    expect(Buffer.concat(stream.push(Buffer.from(sent)).map(({ bytes }) => bytes))).toEqual(Buffer.from(sent));
    expect(stream.problem).toBe(problem);
  }
});

test('a large value that comes in small chunks is looked at once', () => {
  const values = 200_000;
  const bytes = Buffer.from(`*${values}\r\n${':1\r\n'.repeat(values)}`);
  const stream = reading(resp(), 1 << 20).server;
  const began = process.cpuUsage();
  let frames: Frame[] = [];
  for (let at = 0; at < bytes.length; at += 64) frames = [...frames, ...stream.push(bytes.subarray(at, at + 64))];
  expect(frames.map(({ content }) => (content as unknown[]).length)).toEqual([values]);
  // Looking at everything again for each of 12,500 chunks would take minutes.
  expect(process.cpuUsage(began).user).toBeLessThan(20_000_000);
});

test('a codec of the user that fails is named; one that cannot read says Unreadable', () => {
  const own = (read: (unread: Buffer) => never): FrameCodec => ({
    name: 'mine',
    open: () => ({ client: read, server: read }),
    bytesOf: () => Buffer.alloc(0),
  });
  const failing = own(() => (undefined as unknown as { no: () => never }).no());
  expect(() => reading(failing).client.push(Buffer.from('a'))).toThrow(/^the codec mine of tcp failed: TypeError/);
  const endless = own(() => ({ type: 'a', content: null, length: 0 }) as never);
  expect(() => reading(endless).client.push(Buffer.from('a'))).toThrow(
    'a frame with type a and length 0, of 1 unread bytes',
  );
  const unable = own(() => {
    throw new Unreadable('not mine');
  });
  const stream = reading(unable).client;
  expect(stream.push(Buffer.from('ab'))).toMatchObject([{ type: 'raw', content: '2 bytes', isChunk: true }]);
  expect(stream.problem).toBe('not mine');
});
