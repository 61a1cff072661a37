import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { Decoder, errorReply, openflow10, type FeaturesReply, type FlowStats, type Message } from 'culprit/networks';
import { programPath } from './peers.ts';

const features: Omit<FeaturesReply, 'xid'> = {
  type: 'features_reply',
  datapathId: 0x2a,
  nBuffers: 256,
  nTables: 1,
  capabilities: ['flow_stats', 'port_stats'],
  actions: ['output', 'set_dl_src'],
  ports: [
    {
      portNo: 1,
      hwAddr: '00:00:5e:00:53:01',
      name: 's1-eth1',
      config: ['no_flood'],
      state: ['link_down'],
      curr: ['1gb_fd', 'copper'],
      advertised: [],
      supported: [],
      peer: [],
    },
  ],
};

/** The answers of a switch with one flow entry, as far as `ovs-ofctl` asks. */
function answersTo(message: Message): Message[] {
  const { xid } = message;
  switch (message.type) {
    case 'hello':
      return [{ type: 'hello', xid, version: 1, elements: '' }];
    case 'echo_request':
      return [{ ...message, type: 'echo_reply' }];
    case 'features_request':
      return [{ ...features, xid }];
    case 'get_config_request':
      return [{ type: 'get_config_reply', xid, flags: ['frag_drop'], missSendLen: 128 }];
    case 'barrier_request':
      return [{ type: 'barrier_reply', xid }];
    case 'vendor':
      return [errorReply(message, 'bad_request', 'bad_vendor')];
    case 'stats_request':
      return [statsOf(message.stats, xid) ?? errorReply(message, 'bad_request', 'bad_stat')];
    default:
      return [];
  }
}

function statsOf(stats: string, xid: number): Message | undefined {
  const header = { type: 'stats_reply', xid, flags: [] } as const;
  switch (stats) {
    case 'flow':
      return { ...header, stats, flows: [flow] };
    case 'table':
      return { ...header, stats, tables: [table] };
    default:
      return undefined;
  }
}

const flow: FlowStats = {
  tableId: 0,
  match: { inPort: 1, dlType: 0x0800, nwSrc: '10.0.0.0/8' },
  durationSec: 7,
  durationNsec: 500_000_000,
  priority: 99,
  idleTimeout: 10,
  hardTimeout: 0,
  cookie: 5,
  packetCount: 3,
  byteCount: 180,
  actions: [
    { type: 'set_nw_tos', nwTos: 8 },
    { type: 'output', port: 'flood', maxLen: 0 },
  ],
};

const table = {
  tableId: 0,
  name: 'classifier',
  wildcards: 0x3fffff,
  maxEntries: 1000,
  activeCount: 1,
  lookupCount: 4,
  matchedCount: 3,
};

/** Runs `ovs-ofctl` against that switch, over TCP. Returns what it printed, and the messages that it sent. */
async function ofctl(command: string, ...args: readonly string[]) {
  const sent: Message[] = [];
  const refused: string[] = [];
  const server = createServer((socket: Socket) => {
    const decoder = new Decoder(openflow10);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      for (const received of decoder.push(chunk)) {
        if (received.kind !== 'message') refused.push(received.reason);
        else {
          sent.push(received.message);
          for (const answer of answersTo(received.message)) socket.write(openflow10.encode(answer));
        }
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `tcp:127.0.0.1:${(server.address() as AddressInfo).port}`;
  const child = spawn(programPath('ovsOfctl'), ['-O', 'OpenFlow10', command, address, ...args]);
  try {
    const [printed, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { printed: printed.trimEnd().split('\n'), problems, sent, refused };
  } finally {
    child.kill();
    server.close();
  }
}

describe('ovs-ofctl, over TCP,', () => {
  test('sends a flow_mod', async () => {
    const { problems, sent, refused } = await ofctl(
      'add-flow',
      'in_port=1,tcp,nw_dst=192.0.2.0/24,tp_dst=80,priority=7,idle_timeout=5,cookie=0xffffffffffffffff,' +
        'actions=mod_vlan_vid:9,CONTROLLER:64',
    );
    expect({ problems, refused }).toEqual({ problems: '', refused: [] });
    expect(sent.find(({ type }) => type === 'flow_mod')).toMatchObject({
      match: { inPort: 1, dlType: 0x0800, nwProto: 6, nwDst: '192.0.2.0/24', tpDst: 80 },
      cookie: 2n ** 64n - 1n,
      command: 'add',
      idleTimeout: 5,
      hardTimeout: 0,
      priority: 7,
      bufferId: 'none',
      outPort: 'none',
      flags: [],
      actions: [
        { type: 'set_vlan_vid', vlanVid: 9 },
        { type: 'output', port: 'controller', maxLen: 64 },
      ],
    });
  });

  test('shows the features and settings of a switch', async () => {
    const { printed, problems, refused } = await ofctl('show');
    expect({ problems, refused }).toEqual({ problems: '', refused: [] });
    expect(printed.map((line) => line.replace(/xid=\w+/, 'xid'))).toEqual([
      'OFPT_FEATURES_REPLY (xid): dpid:000000000000002a',
      'n_tables:1, n_buffers:256',
      'capabilities: FLOW_STATS PORT_STATS',
      'actions: output mod_dl_src',
      ' 1(s1-eth1): addr:00:00:5e:00:53:01',
      '     config:     NO_FLOOD',
      '     state:      LINK_DOWN',
      '     current:    1GB-FD COPPER',
      '     speed: 1000 Mbps now, 0 Mbps max',
      'OFPT_GET_CONFIG_REPLY (xid): frags=drop miss_send_len=128',
    ]);
  });

  test('tries a message of its vendor, accepts that it is refused, and shows the flow entries', async () => {
    const { printed, problems, sent, refused } = await ofctl('dump-flows');
    expect({ problems, refused }).toEqual({ problems: '', refused: [] });
    expect(sent.map(({ type }) => type)).toEqual(['hello', 'vendor', 'barrier_request', 'stats_request']);
    expect(printed[1]).toBe(
      ' cookie=0x5, duration=7.500s, table=0, n_packets=3, n_bytes=180, idle_timeout=10, ' +
        'priority=99,ip,in_port=1,nw_src=10.0.0.0/8 actions=mod_nw_tos:8,FLOOD',
    );
  });
});
