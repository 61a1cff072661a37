import { describe, expect, test } from 'vitest';
import { plainFlowMod } from '../../../test/twins/networks/flow-mods.ts';
import { SmallNetwork } from '../../../test/twins/networks/small-network.ts';
import { crash, restart } from '../../system/externals.ts';
import type { FlowMod, Message } from '../openflow/messages.ts';
import { failControl, recoverControl, resetChannel } from './switch-faults.ts';
import type { SwitchMessage } from './switch-state.ts';

const packet = '00005e00530200005e0053011234';
const frame = { type: 'frame', port: 1, packet };
const closed = { type: 'closed' };
const hello = (xid: number): SwitchMessage => ({ type: 'hello', xid, version: 1, elements: '' });
const echo: Message = { type: 'echo_request', xid: 8, data: '' };
const answered = [{ type: 'echo_reply', xid: 8, data: '' }];
const toPort2: FlowMod = { ...plainFlowMod, match: { inPort: 1 } };

/** A network whose controllers have answered the first hello. */
async function connected(options: Parameters<typeof SmallNetwork.start>[0] = {}): Promise<SmallNetwork> {
  const network = await SmallNetwork.start(options);
  for (const name of ['c1', 'c2']) await network.says(name, hello(1));
  return network;
}

const statuses = ({ state }: SmallNetwork): string[] => Object.values(state.channels).map(({ status }) => status);

describe('a channel', () => {
  test('is open at once when a switch starts, and connected when the controller answers', async () => {
    const network = await SmallNetwork.start();
    expect(network.got()).toMatchObject({ c1: [hello(1)], c2: [hello(1)] });
    expect(await network.says('c1', echo)).toEqual({ c1: answered });
    expect(statuses(network)).toEqual(['connecting', 'connecting']);
    await network.says('c2', hello(77));
    expect(statuses(network)).toEqual(['connecting', 'connected']);
  });

  test('that was reset is open when the controller answers the new hello', async () => {
    const network = await connected();
    expect(await network.does(resetChannel('s1', 'c2'))).toEqual({ c2: [closed, hello(2)] });
    // Messages of the old connection, and the late answer to its hello.
    expect(await network.says('c2', echo, hello(1), echo)).toEqual({});
    expect(await network.says('c2', hello(2), echo)).toEqual({ c2: answered });
    expect(await network.says('c1', echo)).toEqual({ c1: answered });
    expect(statuses(network)).toEqual(['connected', 'connected']);
    expect(network.nextTimer).toBeUndefined();
  });

  test('of a controller that closes it is opened again', async () => {
    const network = await connected();
    expect(await network.says('c1', { type: 'closed' })).toEqual({ c1: [hello(2)] });
    // A second one is about the old connection.
    expect(await network.says('c1', { type: 'closed' })).toEqual({});
    await network.says('c1', hello(2));
    expect(statuses(network)).toEqual(['connected', 'connected']);
  });

  test('of a controller that crashes is tried again after 1, 2, 4, 8, 16 and 16 seconds, until it answers', async () => {
    const network = await connected();
    await network.does(crash('c1'));
    const times: (string | undefined)[] = [];
    for (let tries = 0; tries < 6; tries++) {
      times.push(network.nextTimer);
      await network.fires();
    }
    expect(times).toEqual([1, 3, 7, 15, 31, 47].map((seconds) => `connect c1 at ${seconds * 1000}`));
    await network.does(restart('c1'));
    expect(await network.fires()).toEqual({ c1: [hello(2)] });
    await network.says('c1', hello(2));
    expect(statuses(network)).toEqual(['connected', 'connected']);
    expect(network.nextTimer).toBeUndefined();
  });

  test('is tried as often as the options say', async () => {
    const network = await connected({ connectTries: 2 });
    await network.does(crash('c1'));
    expect(network.nextTimer).toBe('connect c1 at 1000');
    await network.does(restart('c1'));
    expect(await network.fires()).toEqual({ c1: [hello(2)] });
    expect(network.nextTimer).toBeUndefined();
    await network.says('c1', hello(2));
    expect(statuses(network)).toEqual(['connected', 'connected']);
  });

  test('without an answer to an echo is closed', async () => {
    const network = await connected({ echoMs: 5000 });
    const bothFire = async () => ({ ...(await network.fires()), ...(await network.fires()) });
    const request = { type: 'echo_request' };
    expect(await bothFire()).toMatchObject({ c1: [request], c2: [request] });
    await network.says('c1', { type: 'echo_reply', xid: 0, data: '' });
    expect(await bothFire()).toMatchObject({ c1: [request], c2: [closed, hello(2)] });
    expect(statuses(network)).toEqual(['connected', 'connecting']);
  });
});

describe('the control failure of a switch', () => {
  test('closes all channels, and frames are forwarded by the same flow table', async () => {
    const network = await connected();
    await network.says('c1', toPort2);
    expect(await network.does(failControl('s1'))).toEqual({ c1: [closed], c2: [closed] });
    expect(await network.arrives(packet)).toEqual({ h2: [frame] });
    expect(await network.arrives(packet, 3)).toEqual({});
    expect(network.state.buffers).toEqual([]);
    expect(await network.says('h1', { type: 'link', port: 3, isUp: false })).toEqual({});
    expect(await network.says('c1', { ...toPort2, command: 'delete' }, hello(1), hello(2))).toEqual({});
    expect(await network.does(resetChannel('s1'))).toEqual({});
    expect(await network.does(failControl('s1'))).toEqual({});
    expect(statuses(network)).toEqual(['closed', 'closed']);
    expect(network.state.table.entries).toHaveLength(1);
    expect(network.nextTimer).toBeUndefined();
  });

  test('ends with new connections', async () => {
    const network = await connected();
    await network.does(failControl('s1'));
    expect(await network.does(recoverControl('s1'))).toEqual({ c1: [hello(2)], c2: [hello(2)] });
    expect(await network.says('c1', hello(2), { type: 'features_request', xid: 3 })).toMatchObject({
      c1: [{ type: 'features_reply' }],
    });
    expect(await network.does(recoverControl('s1'))).toEqual({});
    expect(await network.fires()).toEqual({ c2: [hello(2)] });
  });
});

test('a power failure empties the table, and begins connections that earlier messages do not belong to', async () => {
  const network = await connected();
  await network.says('c1', toPort2);
  await network.arrives(packet, 3);
  expect(await network.does(crash('s1'))).toMatchObject({ c1: [closed], c2: [closed], h1: [closed] });
  const number = 65_537;
  expect(await network.does(restart('s1'))).toEqual({ c1: [hello(number)], c2: [hello(number)] });
  expect(await network.says('c1', toPort2)).toEqual({});
  expect(network.state).toMatchObject({ table: { entries: [] }, buffers: [] });
  await network.says('c1', hello(number), toPort2);
  expect(network.state.table.entries).toHaveLength(1);
});
