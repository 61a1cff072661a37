import { describe, expect, test } from 'vitest';
import type { Action, FeaturesReply, FlowMod, Match, Message, Port, PortMod, StatsRequest } from 'culprit/networks';
import { output, plainFlowMod } from '../twins/networks/flow-mods.ts';
import { askBoth } from '../twins/networks/ovs/ask-both.ts';
import { hwAddr as ourHwAddr, SmallNetwork } from '../twins/networks/small-network.ts';
import { ovsOfFile } from './peers.ts';

const ovs = ovsOfFile();

let xid = 7000;
const flowMod = (match: Match, priority: number, ...actions: Action[]): FlowMod => ({
  ...plainFlowMod,
  xid: ++xid,
  match,
  priority,
  actions,
});
const data = '00005e00530200005e0053011234'.padEnd(128, '0');
const packetOut = (inPort: number, ...actions: Action[]): Message => ({
  type: 'packet_out',
  xid: ++xid,
  bufferId: 'none',
  inPort,
  actions,
  data,
});
const arrives = (port: number): Message => packetOut(port, output('table'));
const header = { type: 'stats_request', xid: 9, flags: [] } as const;
const flows = (stats: 'flow' | 'aggregate', match: Match = {}, outPort: Port = 'none'): StatsRequest => ({
  ...header,
  stats,
  match,
  tableId: 0xff,
  outPort,
});

describe('Open vSwitch has the same statistics', () => {
  const traffic = [
    flowMod({ inPort: 1 }, 5, output(2), output(3)),
    flowMod({ inPort: 2, dlType: 0x1234 }, 4, output(1)),
    flowMod({ dlType: 0x0800, nwDst: '10.0.0.0/8' }, 3, output(4)),
    arrives(1),
    arrives(1),
    arrives(2),
  ];

  test('of entries, by match and by port', async () => {
    const { ours, theirs } = await askBoth(ovs(), () => [
      ...traffic,
      flows('flow'),
      flows('flow', { inPort: 1 }),
      flows('flow', {}, 1),
      flows('flow', { dlType: 0x1234 }),
      flows('aggregate'),
      flows('aggregate', { inPort: 1 }),
      flows('aggregate', {}, 9),
    ]);
    expect(ours).toEqual(theirs);
    expect(ours.answers.at(-3)).toEqual(['aggregate: [3,192,3]']);
  });

  test('of ports', async () => {
    const { ours, theirs } = await askBoth(ovs(), () => [
      ...traffic,
      { ...header, stats: 'port', portNo: 'none' },
      { ...header, stats: 'port', portNo: 3 },
    ]);
    expect(ours).toEqual(theirs);
    expect(ours.answers.at(-1)).toEqual(['port: ["3: 2 128"]']);
  });

  test('of queues of a port that is not there: none', async () => {
    const { ours, theirs } = await askBoth(ovs(), () => [{ ...header, stats: 'queue', portNo: 77, queueId: 'all' }]);
    expect(ours).toEqual(theirs);
    expect(ours.answers).toEqual([['9: queue_op_failed bad_port']]);
  });

  test('of a vendor: none', async () => {
    const { ours, theirs } = await askBoth(ovs(), () => [{ ...header, stats: 'vendor', vendor: 0x1234, data: '' }]);
    expect(ours).toEqual(theirs);
    expect(ours.answers).toEqual([['9: bad_request bad_vendor']]);
  });
});

describe('Open vSwitch does the same with a port that has', () => {
  const portMod = (portNo: number, hwAddr: string, config: PortMod['config']): PortMod => ({
    type: 'port_mod',
    xid: ++xid,
    portNo,
    hwAddr,
    config,
    mask: ['port_down', 'no_flood', 'no_fwd', 'no_recv', 'no_packet_in'],
    advertise: [],
  });

  test.each<[PortMod['config'][number]]>([['no_flood'], ['no_fwd']])('%s', async (bit) => {
    const { ours, theirs } = await askBoth(ovs(), (hwAddr) => [
      portMod(2, hwAddr(2), [bit]),
      packetOut(1, output('flood')),
      packetOut(1, output('all')),
      packetOut(1, output(2)),
      packetOut(2, output('in_port')),
      portMod(2, hwAddr(2), []),
      packetOut(1, output('flood')),
    ]);
    expect(ours).toEqual(theirs);
    expect(ours.sent[1]?.length).toBeGreaterThan(0);
  });

  test('no_recv', async () => {
    const bridge = await ovs().addBridge();
    const [features] = await bridge.channel.exchange([{ type: 'features_request', xid: 1 }]);
    const hwAddr = (features as FeaturesReply).ports.find(({ portNo }) => portNo === 1)?.hwAddr ?? '';
    await bridge.channel.exchange([flowMod({}, 1, output(2)), portMod(1, hwAddr, ['no_recv'])]);
    const traced = [1, 3].map((port) => ovs().trace(bridge, port, data).actions);
    ovs().removeBridge(bridge);
    const network = await SmallNetwork.start();
    await network.says('c1', flowMod({}, 1, output(2)), portMod(1, ourHwAddr(1), ['no_recv']));
    const arrived = [await network.arrives(data, 1), await network.arrives(data, 3)];
    expect(traced.map((actions) => actions === 'drop')).toEqual(arrived.map(({ h2 }) => h2 === undefined));
    expect(traced[0]).toBe('drop');
  });

  test('another address, or is not there', async () => {
    const { ours, theirs } = await askBoth(ovs(), (hwAddr) => [
      portMod(2, hwAddr(3), ['no_flood']),
      portMod(77, hwAddr(1), ['no_flood']),
    ]);
    expect(ours).toEqual(theirs);
    expect(ours.answers.flat().map((text) => text.split(': ')[1])).toEqual([
      'port_mod_failed bad_hw_addr',
      'port_mod_failed bad_port',
    ]);
  });
});

test('Open vSwitch refuses the same actions', async () => {
  const { ours, theirs } = await askBoth(ovs(), () => [
    flowMod({}, 1, output('none')),
    flowMod({}, 1, { type: 'set_vlan_vid', vlanVid: 4096 }),
    flowMod({}, 1, { type: 'set_vlan_pcp', vlanPcp: 8 }),
    flowMod({}, 1, { type: 'set_nw_tos', nwTos: 1 }),
    flowMod({}, 1, { type: 'enqueue', port: 'all', queueId: 1 }),
    flowMod({}, 1, { type: 'vendor', vendor: 0x1234, data: '' }),
    packetOut(1, { type: 'vendor', vendor: 0x1234, data: '' }),
    { type: 'vendor', xid: 5, vendor: 0x1234, data: '00000001' },
    { type: 'echo_request', xid: 6, data: 'abcd' },
  ]);
  expect(ours).toEqual(theirs);
});
