import { describe, expect, test } from 'vitest';
import { output, plainFlowMod } from '../../../test/twins/networks/flow-mods.ts';
import { hwAddr, SmallNetwork } from '../../../test/twins/networks/small-network.ts';
import type { Action, FlowMod, Match, Message, PacketIn } from '../openflow/messages.ts';
import { openflow10 } from '../openflow/openflow10.ts';
import { openflowSwitch } from './openflow-switch.ts';
import type { SwitchOptions } from './switch-state.ts';

const packet = '00005e00530200005e0053011234'.padEnd(200, 'ab');

const flowMod = (match: Match, more: Partial<FlowMod> = {}): FlowMod => ({
  ...plainFlowMod,
  match,
  priority: 1,
  ...more,
});
const packetOut = (bufferId: number | 'none', actions: readonly Action[], data = ''): Message => ({
  type: 'packet_out',
  xid: 6,
  bufferId,
  inPort: 1,
  actions,
  data,
});
const frame = { type: 'frame', port: 1, packet };
const error = (name: string, code: string) => expect.objectContaining({ type: 'error', error: name, code }) as unknown;

describe('a controller gets', () => {
  test('a hello from a switch that starts, and answers to requests, alone', async () => {
    const network = await SmallNetwork.start();
    expect(await network.says('c1', { type: 'hello', xid: 1, version: 1, elements: '' })).toEqual({});
    const { c1, c2 } = await network.says(
      'c1',
      { type: 'features_request', xid: 2 },
      { type: 'echo_request', xid: 3, data: 'abcd' },
      { type: 'set_config', xid: 4, flags: ['frag_drop'], missSendLen: 9 },
      { type: 'get_config_request', xid: 5 },
      { type: 'barrier_request', xid: 6 },
    );
    expect(c2).toBeUndefined();
    expect(c1).toMatchObject([
      { type: 'features_reply', xid: 2, datapathId: 7, nBuffers: 256, nTables: 1, ports: [{ portNo: 1 }, {}, {}] },
      { type: 'echo_reply', xid: 3, data: 'abcd' },
      { type: 'get_config_reply', xid: 5, flags: ['frag_drop'], missSendLen: 9 },
      { type: 'barrier_reply', xid: 6 },
    ]);
  });

  test.each<[string, Message, unknown]>([
    ['of a vendor', { type: 'vendor', xid: 1, vendor: 0x2320, data: '' }, error('bad_request', 'bad_vendor')],
    ['of a switch', { type: 'barrier_reply', xid: 1 }, error('bad_request', 'bad_type')],
    [
      'for stats of a vendor',
      { type: 'stats_request', xid: 1, flags: [], stats: 'vendor', vendor: 1, data: '' },
      error('bad_request', 'bad_vendor'),
    ],
    ['with a bad port', flowMod({}, { actions: [output(0)] }), error('bad_action', 'bad_out_port')],
    [
      'with a bad argument',
      flowMod({}, { actions: [{ type: 'set_vlan_vid', vlanVid: 5000 }] }),
      error('bad_action', 'bad_argument'),
    ],
    [
      'with an action of a vendor',
      packetOut('none', [{ type: 'vendor', vendor: 1, data: '' }], packet),
      error('bad_action', 'bad_vendor'),
    ],
    [
      'for emergencies with a timeout',
      flowMod({}, { flags: ['emerg'], idleTimeout: 1 }),
      error('flow_mod_failed', 'bad_emerg_timeout'),
    ],
    ['for a buffer that was never used', packetOut(77, []), error('bad_request', 'buffer_unknown')],
    [
      'for queues of a port that is not there',
      { type: 'queue_get_config_request', xid: 1, port: 9 },
      error('queue_op_failed', 'bad_port'),
    ],
  ])('an error about a message %s', async (_which, message, expected) => {
    const network = await SmallNetwork.start();
    expect(await network.says('c2', message)).toEqual({ c2: [expected] });
  });

  test('an error about a full table, and the rest continues', async () => {
    const network = await SmallNetwork.start({ tableMax: 1 });
    const { c1 } = await network.says('c1', flowMod({ inPort: 1 }), flowMod({ inPort: 2 }), {
      type: 'barrier_request',
      xid: 8,
    });
    expect(c1).toEqual([error('flow_mod_failed', 'all_tables_full'), { type: 'barrier_reply', xid: 8 }]);
  });
});

describe('a frame', () => {
  test('without an entry goes to all controllers, cut off, and stays in the switch', async () => {
    const network = await SmallNetwork.start();
    await network.says('c1', { type: 'set_config', xid: 4, flags: [], missSendLen: 20 });
    const message: PacketIn = {
      type: 'packet_in',
      xid: 0,
      bufferId: 1,
      totalLen: 100,
      inPort: 1,
      reason: 'no_match',
      data: packet.slice(0, 40),
    };
    expect(await network.arrives(packet)).toEqual({ c1: [message], c2: [message] });
    expect(await network.says('c1', packetOut(1, [output('flood')]))).toEqual({ h2: [frame], h3: [frame] });
    expect(await network.says('c2', packetOut(1, [output('flood')]))).toEqual({
      c2: [error('bad_request', 'buffer_empty')],
    });
  });

  test('goes to controllers as a whole if the switch keeps none', async () => {
    const network = await SmallNetwork.start({ buffers: 0 });
    const { c1 } = await network.arrives(packet);
    expect(c1).toMatchObject([{ bufferId: 'none', data: packet }]);
  });

  test('that is kept is dropped when newer ones need the place, or without actions', async () => {
    const network = await SmallNetwork.start({ buffers: 2 });
    for (let count = 0; count < 3; count++) await network.arrives(packet);
    expect(await network.says('c1', packetOut(1, [output(2)]))).toEqual({
      c1: [error('bad_request', 'buffer_unknown')],
    });
    expect(await network.says('c1', packetOut(2, []))).toEqual({});
    expect(await network.says('c1', packetOut(2, [output(2)]))).toEqual({ c1: [error('bad_request', 'buffer_empty')] });
    expect(await network.says('c1', flowMod({}, { bufferId: 3 }))).toEqual({ h2: [frame] });
    expect(await network.says('c1', flowMod({}, { bufferId: 3 }))).toEqual({
      c1: [error('bad_request', 'buffer_empty')],
    });
  });

  test('with an entry takes its actions', async () => {
    const network = await SmallNetwork.start();
    await network.says('c1', flowMod({ inPort: 1 }, { actions: [output(2), output('controller', 14)] }));
    const { h2, c1 } = await network.arrives(packet);
    expect(h2).toEqual([frame]);
    expect(c1).toMatchObject([{ type: 'packet_in', reason: 'action', data: packet.slice(0, 28), bufferId: 1 }]);
    const sent = await network.says('c2', packetOut('none', [output('table')], packet));
    expect(sent).toMatchObject({ h2: [frame], c1: [{ bufferId: 2 }], c2: [{ bufferId: 2 }] });
  });
});

describe('ports', () => {
  const portMod = (portNo: number, bits: readonly 'no_flood'[], address = hwAddr(portNo)): Message => ({
    type: 'port_mod',
    xid: 9,
    portNo,
    hwAddr: address,
    config: bits,
    mask: ['no_flood'],
    advertise: [],
  });

  test('are changed by a controller, and all controllers get the change', async () => {
    const network = await SmallNetwork.start();
    const changed = [{ type: 'port_status', reason: 'modify', desc: { portNo: 2, config: ['no_flood'] } }];
    expect(await network.says('c1', portMod(2, ['no_flood']))).toMatchObject({ c1: changed, c2: changed });
    expect(await network.says('c1', portMod(2, ['no_flood']))).toEqual({});
    expect(await network.says('c1', packetOut('none', [output('flood')], packet))).toEqual({ h3: [frame] });
    expect(await network.says('c1', portMod(9, []), portMod(2, [], hwAddr(3)))).toEqual({
      c1: [error('port_mod_failed', 'bad_port'), error('port_mod_failed', 'bad_hw_addr')],
    });
  });

  test('receive nothing with no_recv or port_down, and controllers get no packet of those with no_packet_in', async () => {
    const network = await SmallNetwork.start();
    const bits = ['no_recv', 'port_down', 'no_packet_in'] as const;
    for (const [at, bit] of bits.entries()) {
      const portNo = at + 1;
      await network.says('c1', { ...portMod(portNo, []), config: [bit], mask: [bit] } as Message);
      expect(await network.arrives(packet, portNo)).toEqual({});
    }
    expect(network.state.ports.map(({ counters }) => counters?.rxDropped)).toEqual([1, 1, 0]);
    await network.says('c1', flowMod({}, { actions: [output(2), output('all')] }));
    expect(await network.arrives(packet, 3)).toEqual({ h1: [frame] });
  });

  test('neither send nor receive while their link is down', async () => {
    const network = await SmallNetwork.start();
    const down = [{ type: 'port_status', desc: { portNo: 1, state: ['link_down'] } }];
    const news = await network.says('h1', { type: 'link', port: 1, isUp: false });
    expect(news).toMatchObject({ c1: down, c2: down });
    expect(await network.arrives(packet)).toEqual({});
    expect(await network.says('c1', packetOut('none', [output('in_port')], packet))).toEqual({});
    await network.says('h1', { type: 'link', port: 1, isUp: true });
    expect(await network.says('c1', packetOut('none', [output('in_port')], packet))).toEqual({ h1: [frame] });
  });
});

test('entries expire when their time comes, and all controllers get those that were to be reported', async () => {
  const network = await SmallNetwork.start();
  await network.says(
    'c1',
    flowMod({ inPort: 1 }, { hardTimeout: 3, flags: ['send_flow_rem'] }),
    flowMod({ inPort: 2 }, { idleTimeout: 2 }),
  );
  expect(await network.fires()).toEqual({});
  expect(network.state.table.entries).toHaveLength(1);
  const removed = [{ type: 'flow_removed', reason: 'hard_timeout', match: { inPort: 1 }, durationSec: 3 }];
  expect(await network.fires()).toMatchObject({ c1: removed, c2: removed });
  expect(network.state.table.entries).toEqual([]);
});

describe('stats', () => {
  const request = { type: 'stats_request', xid: 3, flags: [] } as const;
  const all = { match: {}, tableId: 0xff, outPort: 'none' } as const;

  test('have the counters of entries, the table and ports', async () => {
    const network = await SmallNetwork.start();
    await network.says('c1', flowMod({ inPort: 1 }), flowMod({ inPort: 2 }, { actions: [output(3)] }));
    await network.arrives(packet);
    await network.arrives(packet, 3);
    const { c1 } = await network.says(
      'c1',
      { ...request, stats: 'flow', ...all, outPort: 2 },
      { ...request, stats: 'aggregate', ...all },
      { ...request, stats: 'table' },
      { ...request, stats: 'port', portNo: 2 },
      { ...request, stats: 'queue', portNo: 'all', queueId: 'all' },
      { ...request, stats: 'desc' },
      { ...request, stats: 'flow', ...all, tableId: 0xfe },
    );
    expect(c1).toMatchObject([
      { stats: 'flow', flows: [{ match: { inPort: 1 }, packetCount: 1, byteCount: 100 }] },
      { stats: 'aggregate', packetCount: 1, byteCount: 100, flowCount: 2 },
      { stats: 'table', tables: [{ activeCount: 2, lookupCount: 2, matchedCount: 1 }] },
      { stats: 'port', ports: [{ portNo: 2, txPackets: 1, txBytes: 100, rxPackets: 0 }] },
      { stats: 'queue', queues: [] },
      { stats: 'desc', desc: { mfrDesc: 'culprit' } },
      { stats: 'flow', flows: [] },
    ]);
  });

  test('of many entries are several messages that can be written', async () => {
    const network = await SmallNetwork.start();
    const actions = Array.from({ length: 20 }, (): Action => ({ type: 'set_dl_src', dlAddr: hwAddr(1) }));
    await network.says('c1', ...Array.from({ length: 400 }, (_, index) => flowMod({}, { priority: index, actions })));
    const { c1 } = await network.says('c1', { ...request, stats: 'flow', ...all });
    const parts = (c1 ?? []).map((reply) =>
      reply.type === 'stats_reply' && reply.stats === 'flow'
        ? { flows: reply.flows.length, flags: reply.flags, bytes: openflow10.encode(reply).length }
        : {},
    );
    expect(parts).toEqual([
      { flows: 160, flags: ['more'], bytes: 65_292 },
      { flows: 160, flags: ['more'], bytes: 65_292 },
      { flows: 80, flags: [], bytes: 32_652 },
    ]);
  });
});

test.each<[Partial<SwitchOptions>, string]>([
  [{ delayedTable: 'random' as never }, 'delayedTable is one of fifo, unordered, not "random".'],
  [{ echoMs: 0 }, 'echoMs is a number above 0, not 0.'],
  [{ connectTries: 0 }, 'connectTries is a whole number, 1 or more, not 0.'],
])('a wrong option is named: %j', (wrong, sentence) => {
  expect(() => openflowSwitch({ datapathId: 1, controllers: [], ports: [], ...wrong })).toThrow(sentence);
});
