/** OpenFlow messages and Ethernet frames, as bytes and as plain data; switches, with their flow tables and actions. */
export { openflow10, errorReply } from './openflow/openflow10.ts';
export { Decoder } from './openflow/decoder.ts';
export { CannotEncode } from './bytes/byte-writer.ts';
export type { Protocol, Received } from './openflow/protocol.ts';
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
} from './openflow/messages.ts';
export type { Uint64 } from './bytes/data.ts';
export { buildFrame, parseFrame } from './frames/ethernet.ts';
export type { Arp, Frame, Icmp, Ipv4, Lldp, Opaque, Tcp, Udp, Vlan } from './frames/frame.ts';
export { applyFlowMod } from './switch/flow-mod.ts';
export type { FlowModResult } from './switch/flow-mod.ts';
export {
  emptyTable,
  flowRemoved,
  lookUp,
  nextExpiryMs,
  removeExpired,
  type FlowEntry,
  type FlowTable,
  type RemovedEntry,
} from './switch/flow-table.ts';
export { normalMatch } from './switch/matching.ts';
export { fieldsOf, type PacketFields } from './switch/packet-fields.ts';
export { runActions, type ActionPort, type Output } from './switch/run-actions.ts';
export { openflowSwitch } from './switch/openflow-switch.ts';
export type { SwitchMessage, SwitchOptions, SwitchState } from './switch/switch-state.ts';
export { HeaderSpace, type FoundBlackhole, type FoundLoop } from './header-space/header-space.ts';
export { hasPacket as hasHeaders } from './header-space/cube.ts';
export type { NetworkState, PortView, StationPeer, SwitchPeer, SwitchView } from './invariants/network-state.ts';
