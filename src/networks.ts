/** OpenFlow messages and Ethernet frames, as bytes and as plain data; switches, with their flow tables and actions. */
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
export { applyFlowMod } from './networks/switch/flow-mod.ts';
export type { FlowModResult } from './networks/switch/flow-mod.ts';
export {
  emptyTable,
  flowRemoved,
  lookUp,
  nextExpiryMs,
  removeExpired,
  type FlowEntry,
  type FlowTable,
  type RemovedEntry,
} from './networks/switch/flow-table.ts';
export { normalMatch } from './networks/switch/matching.ts';
export { fieldsOf, type PacketFields } from './networks/switch/packet-fields.ts';
export { runActions, type ActionPort, type Output } from './networks/switch/run-actions.ts';
export { openflowSwitch } from './networks/switch/openflow-switch.ts';
export type { SwitchMessage, SwitchOptions, SwitchState } from './networks/switch/switch-state.ts';
