import { describe, expect, test } from 'vitest';
import { badMessages, rawMessage } from '../../../test/twins/networks/bad-messages.ts';
import { mutated } from '../../../test/twins/networks/mutated-bytes.ts';
import { SmallNetwork } from '../../../test/twins/networks/small-network.ts';
import { Random } from '../../kernel/data/random.ts';
import { openflow10 } from '../openflow/openflow10.ts';
import { resetChannel } from './switch-faults.ts';
import type { SwitchMessage } from './switch-state.ts';

/** What a switch does with bytes that are no message of the standard: the rows of the specification, in its order. */

const asBytes = (bytes: Uint8Array): SwitchMessage => ({ type: 'bytes', bytes: Buffer.from(bytes).toString('hex') });
const echo = rawMessage(2, 'abcd');
const echoReply = { type: 'echo_reply', xid: 9, data: 'abcd' };
const closed = { type: 'closed' };

test('a version that nobody speaks is answered with a text, and the channel is closed', async () => {
  const network = await SmallNetwork.start();
  const { c1 } = await network.says('c1', asBytes(rawMessage(0, '', 0)));
  expect(c1).toEqual([
    expect.objectContaining({ type: 'error', xid: 9, error: 'hello_failed', code: 'incompatible' }),
    closed,
  ]);
  const data = c1?.[0]?.type === 'error' ? c1[0].data : '';
  expect(Buffer.from(data, 'hex').toString()).toBe('This side speaks OpenFlow 1.0 (version 1), and no version 0.');
  expect(await network.says('c1', asBytes(echo))).toEqual({});
  expect(network.nextTimer).toBe('connect c1 at 1000');
});

test('a later version and its elements are accepted in a hello', async () => {
  const network = await SmallNetwork.start();
  await network.says('c1', asBytes(rawMessage(0, '0001000800000012', 4)));
  expect(network.state.channels['c1']?.status).toBe('connected');
  expect(await network.says('c1', asBytes(echo))).toEqual({ c1: [echoReply] });
});

test.each(badMessages)(
  '$name is answered with $error $code, and the channel goes on',
  async ({ bytes, error, code }) => {
    const network = await SmallNetwork.start();
    const { c1, ...others } = await network.says('c1', asBytes(bytes), asBytes(echo));
    expect(c1).toEqual([{ type: 'error', xid: 9, error, code, data: bytes.toString('hex', 0, 64) }, echoReply]);
    expect(others).toEqual({});
  },
);

test.each([
  ['a message of Nicira', rawMessage(4, '000023200000000c00000001')],
  ['statistics of Nicira', rawMessage(16, 'ffff00000000232000000000')],
])('%s is answered with bad_vendor', async (_name, bytes) => {
  const network = await SmallNetwork.start();
  const { c1 } = await network.says('c1', asBytes(bytes));
  expect(c1).toMatchObject([{ type: 'error', xid: 9, error: 'bad_request', code: 'bad_vendor' }]);
});

test('after a length that cannot be, the channel is closed, and opened again a second later', async () => {
  const network = await SmallNetwork.start();
  const { c1 } = await network.says('c1', asBytes(Buffer.from('0102000700000009', 'hex')), asBytes(echo));
  expect(c1).toMatchObject([{ type: 'error', error: 'bad_request', code: 'bad_len' }, closed]);
  expect(await network.fires()).toMatchObject({ c1: [{ type: 'hello', xid: 2 }] });
  await network.says('c1', { type: 'hello', xid: 2, version: 1, elements: '' });
  expect(await network.says('c1', asBytes(echo))).toEqual({ c1: [echoReply] });
});

describe('bytes', () => {
  test('that come one at a time are messages', async () => {
    const network = await SmallNetwork.start();
    const bytes = Buffer.concat([echo, rawMessage(18, ''), echo]);
    const { c1 } = await network.says('c1', ...[...bytes].map((byte) => asBytes(Uint8Array.of(byte))));
    expect(c1).toEqual([echoReply, { type: 'barrier_reply', xid: 9 }, echoReply]);
  });

  test('of half a message are forgotten with their channel', async () => {
    const network = await SmallNetwork.start();
    await network.says('c1', asBytes(echo.subarray(0, 9)));
    expect(network.state.channels['c1']?.incomplete).toHaveLength(18);
    await network.says('c1', { type: 'closed' }, { type: 'hello', xid: 2, version: 1, elements: '' });
    expect(await network.says('c1', asBytes(echo))).toEqual({ c1: [echoReply] });
  });

  test('of 64 KiB are one message, and at most so many are kept', async () => {
    const network = await SmallNetwork.start();
    const data = 'ab'.repeat(0xffff - 8);
    const large = Buffer.from(openflow10.encode({ type: 'echo_request', xid: 1, data }));
    await network.says('c1', asBytes(large.subarray(0, -1)));
    expect(network.state.channels['c1']?.incomplete).toHaveLength(2 * 0xfffe);
    expect(await network.says('c1', asBytes(large.subarray(-1)))).toEqual({
      c1: [{ type: 'echo_reply', xid: 1, data }],
    });
    expect(network.state.channels['c1']?.incomplete).toBe('');
  });

  test.each([1, 2, 3])('without meaning crash no switch, seed %i', async (seed) => {
    const network = await SmallNetwork.start();
    const random = Random.seeded(seed, 0xbad1);
    const originals = [echo, ...badMessages.map(({ bytes }) => bytes)];
    for (let count = 0; count < 100; count++) {
      await network.says('c1', asBytes(mutated(originals, random)));
      // A new channel: after half a message, the next one would be the rest of it.
      await network.does(resetChannel('s1', 'c1'));
      const { number = 0 } = network.state.channels['c1'] ?? {};
      await network.says('c1', { type: 'hello', xid: number, version: 1, elements: '' });
    }
    expect(network.got()['c1']?.filter(({ type }) => type === 'error').length).toBeGreaterThan(30);
    expect(await network.says('c2', asBytes(echo))).toEqual({ c2: [echoReply] });
  });
});
