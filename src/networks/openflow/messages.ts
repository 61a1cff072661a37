import type {
  Capability,
  ErrorCodes,
  ErrorType,
  FlowModCommand,
  FlowModFlag,
  FlowRemovedReason,
  PacketInReason,
  PhyPortReason,
  PortConfigBit,
  PortFeature,
  PortState,
  SpecialPort,
  StatsFlag,
  SwitchConfigFlag,
  ActionBit,
} from './names.ts';
import type { SetBits, Hex, Ipv4Address, MacAddress, Uint64 } from '../bytes/data.ts';

/**
 * OpenFlow messages as plain data. Types, fields and values have the names of the standard, without their prefix;
 * fields are in camel case. Addresses are text, other bytes are hexadecimal text.
 */
export type Message =
  | Hello
  | ErrorMessage
  | Echo
  | Vendor
  | Bare
  | FeaturesReply
  | SwitchConfig
  | PacketIn
  | FlowRemoved
  | PortStatus
  | PacketOut
  | FlowMod
  | PortMod
  | StatsRequest
  | StatsReply
  | QueueGetConfigRequest
  | QueueGetConfigReply;

/** `192.0.2.0/24`; without a slash, one address. */
export type Ipv4Prefix = string;

/** The number of a port, or the name of one of the numbers with a meaning of their own. */
export type Port = number | SpecialPort;

interface Numbered {
  /** Identifies the transaction: a reply has the number of its request. */
  readonly xid: number;
}

interface Hello extends Numbered {
  readonly type: 'hello';
  /** The highest version that the sender speaks: 1 for OpenFlow 1.0, 4 for 1.3. */
  readonly version: number;
  /** The elements of later versions, which 1.0 ignores. */
  readonly elements: Hex;
}

/** A switch refuses a message. */
export interface ErrorMessage extends Numbered {
  readonly type: 'error';
  /** A number if it is unknown, such as an error of a vendor. */
  readonly error: ErrorType | number;
  readonly code: ErrorCodes[ErrorType] | number;
  /** At least the first 64 bytes of the message that failed; for `hello_failed`, ASCII text. */
  readonly data: Hex;
}

export interface Echo extends Numbered {
  readonly type: 'echo_request' | 'echo_reply';
  readonly data: Hex;
}

interface Vendor extends Numbered {
  readonly type: 'vendor';
  readonly vendor: number;
  readonly data: Hex;
}

/** A message that is a header only. */
export interface Bare extends Numbered {
  readonly type: 'features_request' | 'get_config_request' | 'barrier_request' | 'barrier_reply';
}

/** What a switch can do, and its ports. */
export interface FeaturesReply extends Numbered {
  readonly type: 'features_reply';
  readonly datapathId: Uint64;
  readonly nBuffers: number;
  readonly nTables: number;
  readonly capabilities: SetBits<Capability>;
  readonly actions: SetBits<ActionBit>;
  readonly ports: readonly PhyPort[];
}

/** The description of a port. */
export interface PhyPort {
  readonly portNo: Port;
  readonly hwAddr: MacAddress;
  readonly name: string;
  readonly config: SetBits<PortConfigBit>;
  readonly state: SetBits<PortState>;
  readonly curr: SetBits<PortFeature>;
  readonly advertised: SetBits<PortFeature>;
  readonly supported: SetBits<PortFeature>;
  readonly peer: SetBits<PortFeature>;
}

export interface SwitchConfig extends Numbered {
  readonly type: 'get_config_reply' | 'set_config';
  readonly flags: SetBits<SwitchConfigFlag>;
  readonly missSendLen: number;
}

/** The packet that a switch keeps for a controller. */
export type BufferId = number | 'none';

/** A switch sends a packet to its controller. */
export interface PacketIn extends Numbered {
  readonly type: 'packet_in';
  readonly bufferId: BufferId;
  readonly totalLen: number;
  readonly inPort: Port;
  readonly reason: PacketInReason;
  readonly data: Hex;
}

/** A controller sends a packet out of a switch. */
export interface PacketOut extends Numbered {
  readonly type: 'packet_out';
  readonly bufferId: BufferId;
  readonly inPort: Port;
  readonly actions: readonly Action[];
  readonly data: Hex;
}

/** A change of the flow table. */
export interface FlowMod extends Numbered {
  readonly type: 'flow_mod';
  readonly match: Match;
  readonly cookie: Uint64;
  readonly command: FlowModCommand;
  readonly idleTimeout: number;
  readonly hardTimeout: number;
  readonly priority: number;
  readonly bufferId: BufferId;
  readonly outPort: Port;
  readonly flags: SetBits<FlowModFlag>;
  readonly actions: readonly Action[];
}

/** A switch reports an entry that is gone. */
export interface FlowRemoved extends Numbered {
  readonly type: 'flow_removed';
  readonly match: Match;
  readonly cookie: Uint64;
  readonly priority: number;
  readonly reason: FlowRemovedReason;
  readonly durationSec: number;
  readonly durationNsec: number;
  readonly idleTimeout: number;
  readonly packetCount: Uint64;
  readonly byteCount: Uint64;
}

/** The packets that a flow entry is for. A field that is left out is a wildcard. */
export interface Match {
  readonly inPort?: Port;
  readonly dlSrc?: MacAddress;
  readonly dlDst?: MacAddress;
  /** `none`: frames without a tag. */
  readonly dlVlan?: number | 'none';
  readonly dlVlanPcp?: number;
  readonly dlType?: number;
  readonly nwTos?: number;
  readonly nwProto?: number;
  readonly nwSrc?: Ipv4Prefix;
  readonly nwDst?: Ipv4Prefix;
  readonly tpSrc?: number;
  readonly tpDst?: number;
}

/** What a switch does to a packet. */
export type Action =
  | { readonly type: 'output'; readonly port: Port; readonly maxLen: number }
  | { readonly type: 'set_vlan_vid'; readonly vlanVid: number }
  | { readonly type: 'set_vlan_pcp'; readonly vlanPcp: number }
  | { readonly type: 'strip_vlan' }
  | { readonly type: 'set_dl_src' | 'set_dl_dst'; readonly dlAddr: MacAddress }
  | { readonly type: 'set_nw_src' | 'set_nw_dst'; readonly nwAddr: Ipv4Address }
  | { readonly type: 'set_nw_tos'; readonly nwTos: number }
  | { readonly type: 'set_tp_src' | 'set_tp_dst'; readonly tpPort: number }
  | { readonly type: 'enqueue'; readonly port: Port; readonly queueId: number }
  | { readonly type: 'vendor'; readonly vendor: number; readonly data: Hex };

/** A switch reports a change of a port. */
export interface PortStatus extends Numbered {
  readonly type: 'port_status';
  readonly reason: PhyPortReason;
  readonly desc: PhyPort;
}

/** A change of a port. */
export interface PortMod extends Numbered {
  readonly type: 'port_mod';
  readonly portNo: Port;
  readonly hwAddr: MacAddress;
  readonly config: SetBits<PortConfigBit>;
  readonly mask: SetBits<PortConfigBit>;
  readonly advertise: SetBits<PortFeature>;
}

interface StatsHeader extends Numbered {
  readonly flags: SetBits<StatsFlag>;
}

/** A controller asks for counters. */
export type StatsRequest = StatsHeader & { readonly type: 'stats_request' } & (
    | { readonly stats: 'desc' | 'table' }
    | { readonly stats: 'flow' | 'aggregate'; readonly match: Match; readonly tableId: number; readonly outPort: Port }
    | { readonly stats: 'port'; readonly portNo: Port }
    | { readonly stats: 'queue'; readonly portNo: Port; readonly queueId: QueueId }
    | { readonly stats: 'vendor'; readonly vendor: number; readonly data: Hex }
  );

/** The counters that a controller asked for. */
export type StatsReply = StatsHeader & { readonly type: 'stats_reply' } & (
    | { readonly stats: 'desc'; readonly desc: Description }
    | { readonly stats: 'flow'; readonly flows: readonly FlowStats[] }
    | ({ readonly stats: 'aggregate' } & AggregateStats)
    | { readonly stats: 'table'; readonly tables: readonly TableStats[] }
    | { readonly stats: 'port'; readonly ports: readonly PortStats[] }
    | { readonly stats: 'queue'; readonly queues: readonly QueueStats[] }
    | { readonly stats: 'vendor'; readonly vendor: number; readonly data: Hex }
  );

/** What a switch says of itself. */
export interface Description {
  readonly mfrDesc: string;
  readonly hwDesc: string;
  readonly swDesc: string;
  readonly serialNum: string;
  readonly dpDesc: string;
}

/** The counters of one entry. */
export interface FlowStats {
  readonly tableId: number;
  readonly match: Match;
  readonly durationSec: number;
  readonly durationNsec: number;
  readonly priority: number;
  readonly idleTimeout: number;
  readonly hardTimeout: number;
  readonly cookie: Uint64;
  readonly packetCount: Uint64;
  readonly byteCount: Uint64;
  readonly actions: readonly Action[];
}

interface AggregateStats {
  readonly packetCount: Uint64;
  readonly byteCount: Uint64;
  readonly flowCount: number;
}

export interface TableStats {
  readonly tableId: number;
  readonly name: string;
  /** The wildcards that the table supports, as the bits of `ofp_flow_wildcards`. */
  readonly wildcards: number;
  readonly maxEntries: number;
  readonly activeCount: number;
  readonly lookupCount: Uint64;
  readonly matchedCount: Uint64;
}

/** A counter that a switch does not support is 2^64 - 1. */
export interface PortStats {
  readonly portNo: Port;
  readonly rxPackets: Uint64;
  readonly txPackets: Uint64;
  readonly rxBytes: Uint64;
  readonly txBytes: Uint64;
  readonly rxDropped: Uint64;
  readonly txDropped: Uint64;
  readonly rxErrors: Uint64;
  readonly txErrors: Uint64;
  readonly rxFrameErr: Uint64;
  readonly rxOverErr: Uint64;
  readonly rxCrcErr: Uint64;
  readonly collisions: Uint64;
}

export type QueueId = number | 'all';

export interface QueueStats {
  readonly portNo: Port;
  readonly queueId: QueueId;
  readonly txBytes: Uint64;
  readonly txPackets: Uint64;
  readonly txErrors: Uint64;
}

interface QueueGetConfigRequest extends Numbered {
  readonly type: 'queue_get_config_request';
  readonly port: Port;
}

interface QueueGetConfigReply extends Numbered {
  readonly type: 'queue_get_config_reply';
  readonly port: Port;
  readonly queues: readonly PacketQueue[];
}

/** A queue of a port. */
export interface PacketQueue {
  readonly queueId: number;
  readonly properties: readonly QueueProperty[];
}

/** `rate` is in tenths of a percent; above 1000 it is disabled. */
export type QueueProperty =
  | { readonly property: 'none' }
  | { readonly property: 'min_rate'; readonly rate: number }
  /** A property that 1.0 does not have. */
  | { readonly property: number; readonly data: Hex };
