import fc from 'fast-check';
import { bits, dotted, hex, ipv4, mac, u16, u32, u8 } from './arbitrary-fields.ts';
import type { Action, Match, Message, PhyPort, Port, Uint64 } from 'culprit/networks';

/** Random OpenFlow messages, by type and for statistics by kind. */

const u64: fc.Arbitrary<Uint64> = fc
  .oneof(fc.nat(100).map(BigInt), fc.bigInt(0n, 2n ** 54n), fc.bigInt(0n, 2n ** 64n - 1n), fc.constant(2n ** 64n - 1n))
  .map((value) => (value <= Number.MAX_SAFE_INTEGER ? Number(value) : value));
const data = hex({ max: 100 });
const prefix = fc.tuple(u32, fc.integer({ min: 1, max: 32 })).map(([address, length]) => {
  const left = 32 - length;
  return length === 32 ? dotted(address) : `${dotted((address >>> left) << left)}/${length}`;
});
const text = (max: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 1, max: 255 }), { maxLength: max }).map((codes) => String.fromCharCode(...codes));

const outputs = ['in_port', 'table', 'normal', 'flood', 'all', 'controller', 'local'] as const;
const physical = fc.integer({ min: 1, max: 0xff00 });
const port: fc.Arbitrary<Port> = fc.oneof(fc.nat(0xfff7), fc.constantFrom(...outputs, 'none' as const));
const bufferId = fc.oneof(fc.nat(0xfffffffe), fc.constant('none' as const));
const queueId = fc.oneof(fc.nat(0xfffffffe), fc.constant('all' as const));

const portConfig = bits(
  ['port_down', 'no_stp', 'no_recv', 'no_recv_stp', 'no_flood', 'no_fwd', 'no_packet_in'] as const,
  32,
);
const portState = fc
  .tuple(fc.subarray(['link_down'] as const), fc.subarray(['stp_learn', 'stp_forward', 'stp_block'] as const))
  .map(([down, stp]) => [...down, ...stp.slice(0, 1)]);
const portFeatures = bits(
  [
    ...(['10mb_hd', '10mb_fd', '100mb_hd', '100mb_fd', '1gb_hd', '1gb_fd', '10gb_fd', 'copper', 'fiber'] as const),
    ...(['autoneg', 'pause', 'pause_asym'] as const),
  ],
  32,
);
const actionBits = bits(
  [
    ...(['output', 'set_vlan_vid', 'set_vlan_pcp', 'strip_vlan', 'set_dl_src', 'set_dl_dst'] as const),
    ...(['set_nw_src', 'set_nw_dst', 'set_nw_tos', 'set_tp_src', 'set_tp_dst', 'enqueue'] as const),
  ],
  32,
);
const capabilities = bits(
  ['flow_stats', 'table_stats', 'port_stats', 'stp', 'reserved', 'ip_reasm', 'queue_stats', 'arp_match_ip'] as const,
  32,
);

const phyPort: fc.Arbitrary<PhyPort> = fc.record({
  portNo: port,
  hwAddr: mac,
  name: text(16),
  config: portConfig,
  state: portState,
  curr: portFeatures,
  advertised: portFeatures,
  supported: portFeatures,
  peer: portFeatures,
});

const match: fc.Arbitrary<Match> = fc.record(
  {
    inPort: port,
    dlSrc: mac,
    dlDst: mac,
    dlVlan: fc.oneof(fc.nat(0xfffe), fc.constant('none' as const)),
    dlVlanPcp: u8,
    dlType: u16,
    nwTos: u8,
    nwProto: u8,
    nwSrc: prefix,
    nwDst: prefix,
    tpSrc: u16,
    tpDst: u16,
  },
  { requiredKeys: [] },
);

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    type: fc.constant('output' as const),
    port: fc.oneof(physical, fc.constantFrom(...outputs)),
    maxLen: u16,
  }),
  fc.record({ type: fc.constant('set_vlan_vid' as const), vlanVid: fc.nat(4095) }),
  fc.record({ type: fc.constant('set_vlan_pcp' as const), vlanPcp: fc.nat(7) }),
  fc.record({ type: fc.constant('strip_vlan' as const) }),
  fc.record({ type: fc.constantFrom('set_dl_src' as const, 'set_dl_dst' as const), dlAddr: mac }),
  fc.record({ type: fc.constantFrom('set_nw_src' as const, 'set_nw_dst' as const), nwAddr: ipv4 }),
  fc.record({ type: fc.constant('set_nw_tos' as const), nwTos: fc.nat(63).map((dscp) => dscp * 4) }),
  fc.record({ type: fc.constantFrom('set_tp_src' as const, 'set_tp_dst' as const), tpPort: u16 }),
  fc.record({
    type: fc.constant('enqueue' as const),
    port: fc.oneof(physical, fc.constant('in_port' as const)),
    queueId: u32,
  }),
  fc.record({
    type: fc.constant('vendor' as const),
    vendor: u32,
    data: fc.nat(3).chain((count) => hex({ min: count * 8, max: count * 8 })),
  }),
);
const actions = fc.array(action, { maxLength: 6 });

const flowStats = fc.record({
  tableId: u8,
  match,
  durationSec: u32,
  durationNsec: u32,
  priority: u16,
  idleTimeout: u16,
  hardTimeout: u16,
  cookie: u64,
  packetCount: u64,
  byteCount: u64,
  actions,
});
const tableStats = fc.record({
  tableId: u8,
  name: text(32),
  wildcards: u32,
  maxEntries: u32,
  activeCount: u32,
  lookupCount: u64,
  matchedCount: u64,
});
const portStats = fc.record({
  portNo: port,
  rxPackets: u64,
  txPackets: u64,
  rxBytes: u64,
  txBytes: u64,
  rxDropped: u64,
  txDropped: u64,
  rxErrors: u64,
  txErrors: u64,
  rxFrameErr: u64,
  rxOverErr: u64,
  rxCrcErr: u64,
  collisions: u64,
});
const queueStats = fc.record({ portNo: port, queueId, txBytes: u64, txPackets: u64, txErrors: u64 });
const description = fc.record({
  mfrDesc: text(256),
  hwDesc: text(256),
  swDesc: text(256),
  serialNum: text(32),
  dpDesc: text(256),
});
const queue = fc.record({
  queueId: u32,
  properties: fc.array(
    fc.oneof(
      fc.constant({ property: 'none' as const }),
      fc.record({ property: fc.constant('min_rate' as const), rate: u16 }),
    ),
    { maxLength: 3 },
  ),
});

const several = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(one, { maxLength: 4 });

/** The codes of every error, as the standard lists them. */
const errors = {
  hello_failed: ['incompatible', 'eperm'],
  bad_request: [
    ...(['bad_version', 'bad_type', 'bad_stat', 'bad_vendor', 'bad_subtype', 'eperm', 'bad_len'] as const),
    ...(['buffer_empty', 'buffer_unknown'] as const),
  ],
  bad_action: [
    ...(['bad_type', 'bad_len', 'bad_vendor', 'bad_vendor_type', 'bad_out_port', 'bad_argument', 'eperm'] as const),
    ...(['too_many', 'bad_queue'] as const),
  ],
  flow_mod_failed: ['all_tables_full', 'overlap', 'eperm', 'bad_emerg_timeout', 'bad_command', 'unsupported'],
  port_mod_failed: ['bad_port', 'bad_hw_addr'],
  queue_op_failed: ['bad_port', 'bad_queue', 'eperm'],
} as const;
const errorPair = fc.constantFrom(
  ...Object.entries(errors).flatMap(([error, codes]) =>
    codes.map((code) => ({ error: error as keyof typeof errors, code })),
  ),
);
const flowModFlags = fc.subarray(['send_flow_rem', 'check_overlap'] as const);
const bare = fc.record({});

type Shapes = Readonly<Record<string, fc.Arbitrary<object>>>;

const messages: Shapes = {
  hello: fc.record({ version: fc.integer({ min: 1, max: 6 }), elements: data }),
  error: fc.tuple(errorPair, data).map(([pair, rest]) => ({ ...pair, data: rest })),
  echo_request: fc.record({ data }),
  echo_reply: fc.record({ data }),
  vendor: fc.record({ vendor: u32, data }),
  features_request: bare,
  features_reply: fc.record({
    datapathId: u64,
    nBuffers: u32,
    nTables: u8,
    capabilities,
    actions: actionBits,
    ports: several(phyPort),
  }),
  get_config_request: bare,
  get_config_reply: fc.record({ flags: bits(['frag_drop', 'frag_reasm'] as const, 16), missSendLen: u16 }),
  set_config: fc.record({ flags: bits(['frag_drop', 'frag_reasm'] as const, 16), missSendLen: u16 }),
  packet_in: fc.record({
    bufferId,
    totalLen: u16,
    inPort: port,
    reason: fc.constantFrom('no_match', 'action'),
    data,
  }),
  flow_removed: fc.record({
    match,
    cookie: u64,
    priority: u16,
    reason: fc.constantFrom('idle_timeout', 'hard_timeout', 'delete'),
    durationSec: u32,
    durationNsec: u32,
    idleTimeout: u16,
    packetCount: u64,
    byteCount: u64,
  }),
  port_status: fc.record({ reason: fc.constantFrom('add', 'delete', 'modify'), desc: phyPort }),
  packet_out: fc.record({ bufferId, inPort: port, actions, data }),
  flow_mod: fc.record({
    match,
    cookie: u64,
    command: fc.constantFrom('add', 'modify', 'modify_strict', 'delete', 'delete_strict'),
    idleTimeout: u16,
    hardTimeout: u16,
    priority: u16,
    bufferId,
    outPort: port,
    flags: flowModFlags,
    actions,
  }),
  port_mod: fc.record({ portNo: port, hwAddr: mac, config: portConfig, mask: portConfig, advertise: portFeatures }),
  barrier_request: bare,
  barrier_reply: bare,
  queue_get_config_request: fc.record({ port }),
  queue_get_config_reply: fc.record({ port, queues: several(queue) }),
};

const flowRequest = fc.record({ match, tableId: u8, outPort: port });
const vendorBody = fc.record({ vendor: u32, data });

const requests: Shapes = {
  desc: bare,
  flow: flowRequest,
  aggregate: flowRequest,
  table: bare,
  port: fc.record({ portNo: port }),
  queue: fc.record({ portNo: port, queueId }),
  vendor: vendorBody,
};

const replies: Shapes = {
  desc: fc.record({ desc: description }),
  flow: fc.record({ flows: several(flowStats) }),
  aggregate: fc.record({ packetCount: u64, byteCount: u64, flowCount: u32 }),
  table: fc.record({ tables: several(tableStats) }),
  port: fc.record({ ports: several(portStats) }),
  queue: fc.record({ queues: several(queueStats) }),
  vendor: vendorBody,
};

/** The records above have the fields of the messages, which their types do not say. */
const complete = (fixed: object, rest: fc.Arbitrary<object>): fc.Arbitrary<Message> =>
  fc.tuple(u32, rest).map(([xid, fields]) => ({ xid, ...fixed, ...fields }) as Message);

const statistics = (type: string, bodies: Shapes): [string, fc.Arbitrary<Message>][] =>
  Object.entries(bodies).map(([stats, body]) => [
    `${type} ${stats}`,
    complete(
      { type, stats },
      fc.tuple(bits(['more'], 16), body).map(([flags, rest]) => ({ flags, ...rest })),
    ),
  ]);

/** Messages by type; those about statistics by type and kind. */
export const arbitraryMessages: ReadonlyMap<string, fc.Arbitrary<Message>> = new Map([
  ...Object.entries(messages).map(([type, rest]): [string, fc.Arbitrary<Message>] => [type, complete({ type }, rest)]),
  ...statistics('stats_request', requests),
  ...statistics('stats_reply', replies),
]);

export const arbitraryMessage: fc.Arbitrary<Message> = fc.oneof(...arbitraryMessages.values());
