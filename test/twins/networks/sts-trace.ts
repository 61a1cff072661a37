import { openflow10, type Message } from 'culprit/networks';

/** Writes small traces as STS does: one event per line, with a label and a time. */

type Fields = Readonly<Record<string, unknown>>;

/** An event, after so many milliseconds. */
export const stsEvent = (name: string, ms: number, fields: Fields = {}): Fields => ({
  class: name,
  time: [1_400_000_000 + Math.floor(ms / 1000), (ms % 1000) * 1000],
  round: -1,
  timed_out: false,
  dependent_labels: [],
  prunable: true,
  ...fields,
});

const packetOf = (message: Message): string => Buffer.from(openflow10.encode(message)).toString('base64');

/** A message from a controller to a switch, or back, as its bytes. */
export const received = (ms: number, dpid: number, message: Message): Fields =>
  stsEvent('ControlMessageReceive', ms, { dpid, controller_id: 'c1', b64_packet: packetOf(message) });
const sent = (ms: number, dpid: number, message: Message): Fields =>
  stsEvent('ControlMessageSend', ms, { dpid, controller_id: 'c1', b64_packet: packetOf(message) });

/** A link between two ports fails or recovers. */
export const link = (
  name: 'LinkFailure' | 'LinkRecovery',
  ms: number,
  ends: readonly [number, number, number, number],
): Fields => {
  const [start, startPort, end, endPort] = ends;
  const fields = { start_dpid: start, start_port_no: startPort, end_dpid: end, end_port_no: endPort };
  return stsEvent(name, ms, fields);
};

/** A station sends a frame, given as hexadecimal text. */
export const injected = (ms: number, mac: string, packet: string): Fields =>
  stsEvent('TrafficInjection', ms, {
    dp_event: {
      interface: { hw_addr: mac, ips: [], name: 'eth1' },
      packet: Buffer.from(packet, 'hex').toString('base64'),
    },
    host_id: 1,
  });

/** What a controller says to each switch of a handshake, and gets. */
export const handshake = (ms: number, dpid: number): Fields[] => [
  received(ms, dpid, { type: 'hello', xid: 1, version: 1, elements: '' }),
  sent(ms + 1, dpid, { type: 'hello', xid: 1, version: 1, elements: '' }),
  received(ms + 2, dpid, { type: 'features_request', xid: 2 }),
];

/** The same, up to where most controllers count a switch as connected: its table is empty, and it says so. */
export const connected = (ms: number, dpid: number): Fields[] => [
  ...handshake(ms, dpid),
  received(ms + 3, dpid, { type: 'set_config', xid: 3, flags: [], missSendLen: 0xff_ff }),
  received(ms + 4, dpid, {
    type: 'flow_mod',
    xid: 4,
    match: {},
    cookie: 0,
    command: 'delete',
    idleTimeout: 0,
    hardTimeout: 0,
    priority: 0x80_00,
    bufferId: 'none',
    outPort: 'none',
    flags: [],
    actions: [],
  }),
  received(ms + 5, dpid, { type: 'barrier_request', xid: 5 }),
];

export const textOf = (events: readonly Fields[]): string =>
  `${events.map((event) => JSON.stringify(event)).join('\n')}\n`;
