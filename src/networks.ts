/** OpenFlow messages and Ethernet frames: as bytes, and as plain data. */
export { openflow10, errorReply } from './networks/openflow/openflow10.ts';
export { Decoder } from './networks/openflow/decoder.ts';
export { CannotEncode } from './networks/bytes/byte-writer.ts';
export type { Protocol, Received } from './networks/openflow/protocol.ts';
export type {
  Action,
  ErrorMessage,
  FeaturesReply,
  FlowMod,
  FlowRemoved,
  FlowStats,
  Match,
  Message,
  PacketIn,
  PacketOut,
  PacketQueue,
  PhyPort,
  Port,
  PortMod,
  PortStatus,
  StatsReply,
  StatsRequest,
} from './networks/openflow/messages.ts';
export type { Uint64 } from './networks/bytes/data.ts';
export { buildFrame, parseFrame } from './networks/frames/ethernet.ts';
export type { Arp, Frame, Icmp, Ipv4, Lldp, Opaque, Tcp, Udp, Vlan } from './networks/frames/frame.ts';
