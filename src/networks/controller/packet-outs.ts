import type { Hex } from '../bytes/data.ts';
import type { Action, Message, PacketIn, Port } from '../openflow/messages.ts';

/** What controllers send to make switches forward packets, besides flow_mods. */

const WHOLE_PACKET = 0xff_ff;

/** The action that sends a packet to a port: a number, `flood`, `in_port`, `controller` and so on. */
export const output = (port: Port): Action => ({
  type: 'output',
  port,
  maxLen: port === 'controller' ? WHOLE_PACKET : 0,
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
