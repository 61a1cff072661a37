import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from '../../kernel/data/random.ts';
import { arbitraryMessage } from '../../../test/twins/networks/arbitrary-message.ts';
import { Decoder } from './decoder.ts';
import type { Message } from './messages.ts';
import { openflow10 } from './openflow10.ts';
import type { Received } from './protocol.ts';

const messages = fc.sample(arbitraryMessage, { numRuns: 300, seed: 17 });
const encoded = messages.map((message) => Buffer.from(openflow10.encode(message)));

/** The stream in chunks of up to `most` bytes, each in memory of its own, which is overwritten after it was taken. */
function* chunks(stream: Buffer, most: number, random: Random): Generator<Buffer> {
  for (let at = 0; at < stream.length;) {
    const chunk = Buffer.from(stream.subarray(at, at + 1 + random.below(most)));
    at += chunk.length;
    yield chunk;
    chunk.fill(0xee);
  }
}

test.each([1, 2, 7, 100, 1000, 100_000])('chunks of up to %i bytes give the same messages', (most) => {
  const decoder = new Decoder(openflow10);
  const stream = Buffer.concat(encoded);
  const found: unknown[] = [];
  const bytes: Buffer[] = [];
  for (const chunk of chunks(stream, most, Random.seeded(most, 1))) {
    for (const received of decoder.push(chunk)) {
      bytes.push(Buffer.from(received.bytes));
      if (received.kind === 'message') found.push(received.message);
    }
    expect(decoder.incomplete).toBeLessThan(65536);
  }
  expect(found).toEqual(messages);
  expect(Buffer.concat(bytes).equals(stream)).toBe(true);
  expect(decoder.incomplete).toBe(0);
});

test('complete messages are read where they are, without a copy', () => {
  const chunk = Buffer.concat(encoded.slice(0, 20));
  const received = new Decoder(openflow10).push(chunk);
  expect(received).toHaveLength(20);
  for (const { bytes } of received) expect(bytes.buffer).toBe(chunk.buffer);
});

test('after a bad message the next ones are read', () => {
  const unknown = Buffer.from('0163000a00000001ffff', 'hex');
  const [first, second] = [encoded[0] as Buffer, encoded[1] as Buffer];
  const received = new Decoder(openflow10).push(Buffer.concat([first, unknown, second]));
  expect(received.map(({ kind }) => kind)).toEqual(['message', 'refused', 'message']);
});

test.each([
  ['a length that cannot be', '0100000700000001', 'bad_len'],
  ['a hello of no common version', '0000000800000001', 'incompatible'],
])('%s breaks the channel: nothing is read after it', (_name, bad, code) => {
  for (const size of [1, 100_000]) {
    const decoder = new Decoder(openflow10);
    const stream = Buffer.concat([encoded[0] as Buffer, Buffer.from(bad, 'hex'), encoded[1] as Buffer]);
    const received: Received<Message>[] = [];
    for (const chunk of chunks(stream, size, Random.seeded(size, 2))) received.push(...decoder.push(chunk));
    expect(received.map(({ kind }) => kind)).toEqual(['message', 'broken']);
    expect(received[1]).toMatchObject({ reply: { code } });
    expect(decoder.isBroken).toBe(true);
    expect(decoder.incomplete).toBe(0);
  }
});

test('a channel holds at most 128 KiB', () => {
  const decoders = Array.from({ length: 100 }, () => new Decoder(openflow10));
  const whole = Buffer.alloc(65535);
  whole.set([1, 2, 0xff, 0xff]);
  const before = process.memoryUsage().arrayBuffers;
  for (const decoder of decoders) {
    for (let at = 0; at < 65534; at += 1000) decoder.push(whole.subarray(at, Math.min(at + 1000, 65534)));
    expect(decoder.incomplete).toBe(65534);
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(decoders.length * 128 * 1024);
});

test('half a message is held, and how much of it is known', () => {
  const decoder = new Decoder(openflow10);
  const whole = Buffer.alloc(65535);
  whole.set([1, 2, 0xff, 0xff]);
  expect(decoder.push(whole.subarray(0, 5))).toEqual([]);
  expect(decoder.incomplete).toBe(5);
  expect(decoder.push(whole.subarray(5, 65534))).toEqual([]);
  expect(decoder.incomplete).toBe(65534);
  expect(decoder.push(whole.subarray(65534))).toMatchObject([{ kind: 'message', message: { type: 'echo_request' } }]);
});
