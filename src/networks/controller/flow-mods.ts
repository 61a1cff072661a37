import type { Hex } from '../bytes/data.ts';
import type { Action, FlowMod, Message, PacketIn, Port } from '../openflow/messages.ts';

/** The messages with which controllers make switches forward packets, with the defaults of the standard. */

/** Of entries whose flow_mod does not say it. */
const DEFAULT_PRIORITY = 0x80_00;
const WHOLE_PACKET = 0xff_ff;

/** The action that sends a packet to a port: a number, `flood`, `in_port`, `controller` and so on. */
export const output = (port: Port): Action => ({
  type: 'output',
  port,
  maxLen: port === 'controller' ? WHOLE_PACKET : 0,
});

/** A flow_mod, which adds an entry unless it has another `command`. What is left out has its default. */
export const flowMod = (given: Partial<Omit<FlowMod, 'type'>> = {}): FlowMod => ({
  type: 'flow_mod',
  xid: 0,
  match: {},
  cookie: 0,
  command: 'add',
  idleTimeout: 0,
  hardTimeout: 0,
  priority: DEFAULT_PRIORITY,
  bufferId: 'none',
  outPort: 'none',
  flags: [],
  actions: [],
  ...given,
});

/** A packet that a switch sent to its controller, as far as an answer needs it. */
export type AnsweredPacket = Pick<PacketIn, 'bufferId' | 'inPort' | 'data'>;

/** Makes the switch do these actions with a packet: the one that it keeps in its buffer, or the one in the message. */
export const packetOut = ({ bufferId, inPort, data }: AnsweredPacket, actions: readonly Action[]): Message => ({
  type: 'packet_out',
  xid: 0,
  bufferId,
  inPort,
  actions,
  data: bufferId === 'none' ? data : noData,
});

const noData: Hex = '';
