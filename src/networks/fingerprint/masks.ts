import type { NetworkMessage } from '../network/network-switch-state.ts';

/**
 * How a field of a message is compared in two executions: its value (`kept`), not at all (`masked`), as a packet (`packet`), or by the
 * number and the address of the port that it describes (`port`).
 */
export type Comparison = 'kept' | 'masked' | 'packet' | 'port';

export type Mask = Readonly<Record<string, Comparison>>;

/** Types of messages that are compared by these masks. All others count with every field. */
type MaskedType = Exclude<
  NetworkMessage['type'],
  'bytes' | 'closed' | 'link' | 'port' | 'detach' | 'control_failure' | 'control_recovery' | 'channel_reset'
>;

type MessageOf<T, M = NetworkMessage> = M extends { readonly type: infer U } ? (T extends U ? M : never) : never;

/** Every field of a message has a place; of stats, every field that all kinds have, and the others are masked. */
type Masks = {
  readonly [T in MaskedType]: Readonly<Record<Exclude<keyof MessageOf<T>, 'type'>, Comparison>>;
};

/**
 * What counts when two executions are compared (functional equivalence, table 4.1 of the thesis on STS): not what differs from run to
 * run, such as transaction numbers, cookies, buffers, counters and times.
 */
export const masks: Masks = {
  hello: { xid: 'masked', version: 'masked', elements: 'masked' },
  echo_request: { xid: 'masked', data: 'masked' },
  echo_reply: { xid: 'masked', data: 'masked' },
  barrier_request: { xid: 'masked' },
  barrier_reply: { xid: 'masked' },
  features_request: { xid: 'masked' },
  features_reply: {
    xid: 'masked',
    datapathId: 'kept',
    nBuffers: 'masked',
    nTables: 'masked',
    capabilities: 'masked',
    actions: 'masked',
    ports: 'masked',
  },
  get_config_request: { xid: 'masked' },
  get_config_reply: { xid: 'masked', flags: 'kept', missSendLen: 'kept' },
  set_config: { xid: 'masked', flags: 'kept', missSendLen: 'kept' },
  packet_in: {
    xid: 'masked',
    bufferId: 'masked',
    totalLen: 'masked',
    inPort: 'kept',
    reason: 'masked',
    data: 'packet',
  },
  packet_out: { xid: 'masked', bufferId: 'masked', inPort: 'kept', actions: 'kept', data: 'packet' },
  flow_mod: {
    xid: 'masked',
    match: 'kept',
    cookie: 'masked',
    command: 'kept',
    idleTimeout: 'kept',
    hardTimeout: 'kept',
    priority: 'kept',
    bufferId: 'masked',
    outPort: 'kept',
    flags: 'kept',
    actions: 'kept',
  },
  flow_removed: {
    xid: 'masked',
    match: 'kept',
    cookie: 'masked',
    priority: 'kept',
    reason: 'kept',
    durationSec: 'masked',
    durationNsec: 'masked',
    idleTimeout: 'masked',
    packetCount: 'masked',
    byteCount: 'masked',
  },
  port_status: { xid: 'masked', reason: 'kept', desc: 'port' },
  port_mod: { xid: 'masked', portNo: 'kept', hwAddr: 'kept', config: 'kept', mask: 'kept', advertise: 'kept' },
  stats_request: { xid: 'masked', flags: 'masked', stats: 'kept' },
  stats_reply: { xid: 'masked', flags: 'masked', stats: 'kept' },
  queue_get_config_request: { xid: 'masked', port: 'kept' },
  queue_get_config_reply: { xid: 'masked', port: 'kept', queues: 'masked' },
  error: { xid: 'masked', error: 'kept', code: 'kept', data: 'masked' },
  vendor: { xid: 'masked', vendor: 'kept', data: 'masked' },
  frame: { port: 'kept', packet: 'packet' },
  attach: { station: 'kept', port: 'kept', hwAddr: 'kept', record: 'masked' },
};
