/** OpenFlow messages and Ethernet frames, as bytes and as plain data; switches, and networks of them. */
export { openflow10, errorReply } from './openflow/openflow10.ts';
export { flowMod } from './openflow/flow-mod-message.ts';
export { matchFields } from './openflow/match-fields.ts';
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
export { packetsOfPcap } from './captures/pcap.ts';
export { packetsOfSts } from './captures/sts-injections.ts';
export type { CapturedPacket } from './captures/captured-packet.ts';
export { applyFlowMod } from './switch/flow-mod.ts';
export type { FlowModResult } from './switch/flow-mod.ts';
export {
  byPriority,
  emptyTable,
  flowRemoved,
  type FlowEntry,
  type FlowTable,
  type RemovedEntry,
} from './switch/flow-table.ts';
export { lookUp, nextExpiryMs, removeExpired } from './switch/table-lookup.ts';
export { normalMatch } from './switch/matching.ts';
export { fieldsOf, type PacketFields } from './switch/packet-fields.ts';
export { runActions, type ActionPort, type SwitchOutput } from './switch/run-actions.ts';
export type { AddressedStation } from './words/station-names.ts';
export { networkPhrases, type NetworkPhrasesOptions } from './words/network-phrases.ts';
export { openflowSwitch } from './switch/openflow-switch.ts';
export { failControl, loseFlowMod, recoverControl, resetChannel } from './switch/switch-faults.ts';
export type { SwitchMessage, SwitchOptions, SwitchState } from './switch/switch-state.ts';
export { HeaderSpace, type FoundBlackhole, type FoundLoop } from './header-space/header-space.ts';
export { hasPacket as hasHeaders, type Cube } from './header-space/cube.ts';
export type { Hop } from './header-space/hops.ts';
export { packetPath, type PacketPath, type PathHop } from './header-space/packet-path.ts';
export { mesh } from './topology/mesh.ts';
export { linear, ring } from './topology/line.ts';
export { fatTree } from './topology/fat-tree.ts';
export { topologyFrom } from './topology/from-json.ts';
export type { LinkEnd, Station, Topology, TopologyLink, TopologySwitch } from './topology/topology.ts';
export { controller, type ControllerOptions } from './controller/controller.ts';
export type { ControllerPeers } from './controller/controller-peers.ts';
export { controllerBehavior, switchAt } from './controller/controller-behavior.ts';
export type { ControllerContext, ControllerHandlers, PacketAt } from './controller/controller-behavior.ts';
export type { ConnectedSwitch, NewFlow } from './controller/connected-switch.ts';
export { output, packetOut, type AnsweredPacket } from './controller/packet-outs.ts';
export { networkFingerprint, type NetworkFingerprint } from './fingerprint/fingerprint.ts';
export { openVSwitch, type OpenVSwitchOptions } from './openvswitch/open-vswitch.ts';
export type { LiveFlowEntry, LiveSwitchState } from './openvswitch/live-switch-state.ts';
export { network, type Network } from './network/network.ts';
export { defineNetwork, type NetworkDefinition } from './network/define-network.ts';
export type { NetworkOptions } from './network/options.ts';
export type { SettleOptions, Traffic } from './network/traffic.ts';
export type { FlowOptions, TrafficItems } from './network/traffic-items.ts';
export type { TrafficWeights } from './network/random-traffic.ts';
export { publishedTraffic, type RoundInputs, type TrafficRates } from './network/round-traffic.ts';
export { publishedFaults } from './network/network-faults.ts';
export type { DeliveryRates, FailureBudgets, FailureRates, NetworkFaults } from './network/network-faults.ts';
export { onLink, type FrameKind } from './network/on-link.ts';
export type { NetworkMessage, NetworkSwitchState } from './network/network-switch-state.ts';
export type { StationAnswers, StationRecord } from './network/station.ts';
export { receivedBy } from './network/world-of-stations.ts';
export { networkStateOf } from './network/network-state-of.ts';
export type { NetworkState, PortView, StationPeer, SwitchPeer, SwitchView } from './invariants/network-state.ts';
export { noBlackholes, noLoops } from './invariants/no-loops.ts';
export { allPairsConnected, persistentConnectivity } from './invariants/connectivity.ts';
export type { ConnectivityOptions, PersistentConnectivityOptions } from './invariants/connectivity.ts';
export { controllersAlive, switchesConnected } from './invariants/controllers.ts';
export type { ControllersAliveOptions, SwitchesConnectedOptions } from './invariants/controllers.ts';
export { noInvalidPorts, noOverlap, tablesMatch } from './invariants/entries.ts';
export type { KnownFlow, NoOverlapOptions, TablesMatchOptions } from './invariants/entries.ts';
export { noStorm, sessionAffinity } from './invariants/frames-seen.ts';
export type { NoStormOptions, SessionAffinityOptions } from './invariants/frames-seen.ts';
export { isolation, may, mustNot, vlanSlice } from './invariants/isolation.ts';
export type { IsolationOptions, IsolationRule } from './invariants/isolation.ts';
export { noTwoLoops } from './invariants/no-two-loops.ts';
export type { Duration, Persist, PersistOptions, UntilIdle } from './invariants/persistence.ts';
export { tableErrorsHeeded } from './invariants/table-errors.ts';
