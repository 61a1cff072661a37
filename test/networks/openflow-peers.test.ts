import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openflow10, type Action, type FlowMod, type Message } from 'culprit/networks';
import { arbitraryMessages } from '../twins/networks/arbitrary-message.ts';
import { badMessages } from '../twins/networks/bad-messages.ts';
import { plainFlowMod } from '../twins/networks/flow-mods.ts';
import { forPyof } from './for-pyof.ts';
import { askPyof, printedByOvs } from './peers.ts';

test('python3-openflow writes the bytes that we write, and reads what we read, for 100 messages of each type', () => {
  const asked = [...arbitraryMessages.values()]
    .flatMap((messages) => fc.sample(messages, { numRuns: 100, seed: 17 }))
    .map(forPyof)
    .map((message) => ({ message, bytes: Buffer.from(openflow10.encode(message)).toString('hex') }));
  expect(asked).toHaveLength(3400);
  for (const [index, { read, written }] of askPyof(asked).entries()) {
    const { message, bytes } = asked[index] as (typeof asked)[number];
    expect(read).toEqual(message);
    expect(written).toBe(bytes);
    expect(openflow10.decode(Buffer.from(written, 'hex'))).toMatchObject({ kind: 'message', message });
  }
});

const flowMod: FlowMod = { ...plainFlowMod, priority: 1, actions: [] };

const allActions: readonly Action[] = [
  { type: 'output', port: 5, maxLen: 0 },
  { type: 'set_vlan_vid', vlanVid: 9 },
  { type: 'set_vlan_pcp', vlanPcp: 3 },
  { type: 'strip_vlan' },
  { type: 'set_dl_src', dlAddr: '00:00:5e:00:53:01' },
  { type: 'set_dl_dst', dlAddr: '00:00:5e:00:53:02' },
  { type: 'set_nw_src', nwAddr: '192.0.2.1' },
  { type: 'set_nw_dst', nwAddr: '192.0.2.2' },
  { type: 'set_nw_tos', nwTos: 8 },
  { type: 'set_tp_src', tpPort: 80 },
  { type: 'set_tp_dst', tpPort: 443 },
  { type: 'enqueue', port: 6, queueId: 7 },
  // Nicira's action `resubmit` to port 4.
  { type: 'vendor', vendor: 0x2320, data: '0001000400000000' },
  { type: 'output', port: 'controller', maxLen: 128 },
];

/** What python3-openflow cannot read, and all actions in one list. */
describe('Open vSwitch reads', () => {
  test.each<[string, Message, string[]]>([
    [
      'the port of a flow_mod that deletes',
      {
        ...flowMod,
        match: { dlType: 0x0800, nwProto: 6, nwSrc: '10.0.0.0/8' },
        outPort: 5,
        command: 'delete',
        idleTimeout: 10,
        flags: ['send_flow_rem'],
      },
      ['OFPT_FLOW_MOD (xid=0x1): DEL priority=1,tcp,nw_src=10.0.0.0/8 idle:10 out_port:5 send_flow_rem actions=drop'],
    ],
    [
      'all actions',
      { ...flowMod, match: { dlType: 0x0800, nwProto: 6 }, actions: allActions },
      [
        'OFPT_FLOW_MOD (xid=0x1): ADD priority=1,tcp actions=output:5,mod_vlan_vid:9,mod_vlan_pcp:3,strip_vlan,' +
          'mod_dl_src:00:00:5e:00:53:01,mod_dl_dst:00:00:5e:00:53:02,mod_nw_src:192.0.2.1,mod_nw_dst:192.0.2.2,' +
          'mod_nw_tos:8,mod_tp_src:80,mod_tp_dst:443,enqueue:6:7,resubmit:4,CONTROLLER:128',
      ],
    ],
    [
      'a hello of 1.3 with its elements',
      { type: 'hello', xid: 1, version: 4, elements: '0001000800000012' },
      ['OFPT_HELLO (OF1.3) (xid=0x1):', ' version bitmap: 0x01, 0x04'],
    ],
    [
      'the port of a request for queues',
      { type: 'queue_get_config_request', xid: 1, port: 3 },
      ['OFPT_QUEUE_GET_CONFIG_REQUEST (xid=0x1): port=3'],
    ],
    [
      'the properties of queues',
      {
        type: 'queue_get_config_reply',
        xid: 1,
        port: 3,
        queues: [
          { queueId: 1, properties: [{ property: 'min_rate', rate: 100 }] },
          { queueId: 2, properties: [{ property: 'none' }, { property: 'min_rate', rate: 5 }] },
        ],
      },
      ['OFPT_QUEUE_GET_CONFIG_REPLY (xid=0x1): port=3', 'queue 1: min_rate:10.0%', 'queue 2: min_rate:0.5%'],
    ],
  ])('%s', (_name, message, lines) => {
    expect(printedByOvs(openflow10.encode(message))).toBe(lines.join('\n'));
  });
});

/** Where Open vSwitch answers otherwise, or `ovs-ofctl` does not care. */
const otherwise = new Map([
  ['another version', 'none'],
  ['an unknown reason of packet_in', 'none'],
  ['an unknown reason of port_status', 'NXBRC_BAD_REASON'],
  ['an action of 4 bytes', 'OFPBRC_BAD_LEN'],
  ['output to port 0', 'none'],
]);

const prefixes: Readonly<Record<string, string>> = {
  bad_request: 'OFPBRC_',
  bad_action: 'OFPBAC_',
  flow_mod_failed: 'OFPFMFC_',
};

test.each(badMessages)(
  'Open vSwitch refuses $name with the error that we refuse it with',
  ({ name, bytes, error, code }) => {
    const refused = /decode error: (\w+)/.exec(printedByOvs(bytes))?.[1] ?? 'none';
    expect(refused).toBe(otherwise.get(name) ?? `${prefixes[error]}${code.toUpperCase()}`);
  },
);
