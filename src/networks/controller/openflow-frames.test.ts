import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryMessage } from '../../../test/twins/networks/arbitrary-message.ts';
import { badMessages } from '../../../test/twins/networks/bad-messages.ts';
import { bytesOf, messageOf } from '../../hosts/live/tcp/frame-message.ts';
import { FrameStream } from '../../hosts/live/tcp/frame-stream.ts';
import { Random } from '../../kernel/data/random.ts';
import { Decoder } from '../openflow/decoder.ts';
import { openflow10 } from '../openflow/openflow10.ts';
import { openflowFrames } from './openflow-frames.ts';

const LIMIT = 65_536;

const stream = (): FrameStream => new FrameStream('openflow', openflowFrames.open({ frameBytes: LIMIT }).client, LIMIT);

/** Good and bad messages in turn, but none that breaks a channel. */
const sent = fc
  .sample(arbitraryMessage, { numRuns: 200, seed: 3 })
  .flatMap((message, at) => [Buffer.from(openflow10.encode(message)), badMessages[at % badMessages.length]?.bytes])
  .flatMap((bytes) => (bytes !== undefined && openflow10.decode(bytes).kind !== 'broken' ? [bytes] : []));

test('frames are the messages that a decoder reads, with bytes where others would be written', () => {
  const random = Random.seeded(1, 1);
  const all = Buffer.concat(sent);
  const frames = stream();
  const messages: object[] = [];
  for (let at = 0; at < all.length;) {
    const chunk = Buffer.from(all.subarray(at, at + 1 + random.below(300)));
    at += chunk.length;
    messages.push(...frames.push(chunk).map((frame) => messageOf(openflowFrames, frame)));
  }
  const expected = new Decoder(openflow10).push(all);
  expect(messages.map((message) => ({ ...message, bytes: undefined }))).toEqual(
    expected.map((one) => ({
      ...(one.kind === 'message' ? one.message : { type: 'refused', reason: one.reason }),
      bytes: undefined,
    })),
  );
  expect(messages.filter((message) => 'reason' in message && 'bytes' in message).length).toBeGreaterThan(50);
  expect(Buffer.concat(messages.map((message) => bytesOf(openflowFrames, message))).equals(all)).toBe(true);
});

test('from bytes that are no message on, chunks are passed', () => {
  const frames = stream();
  const broken = Buffer.from('0100000700000001', 'hex');
  const [hello] = frames.push(Buffer.concat([openflow10.encode({ type: 'barrier_request', xid: 1 }), broken]));
  expect(hello).toMatchObject({ type: 'barrier_request' });
  expect(frames.problem).toBe('the length of a message is 7, less than its header');
  expect(frames.push(broken).map((frame) => messageOf(openflowFrames, frame))).toMatchObject([
    { type: 'raw', content: '8 bytes' },
  ]);
});
