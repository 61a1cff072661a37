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
  /** What exactly is wrong, in words that depend on `error`; a number if it is unknown. */
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
  /** Identifies the switch: 64 bits as hexadecimal text. */
  readonly datapathId: Uint64;
  /** How many packets it can keep for controllers. */
  readonly nBuffers: number;
  /** How many flow tables it has. */
  readonly nTables: number;
  /** What it counts and can do, such as `flow_stats`. */
  readonly capabilities: SetBits<Capability>;
  /** The types of action that it supports. */
  readonly actions: SetBits<ActionBit>;
  /** Its physical ports, and its own (`local`) if it has one. */
  readonly ports: readonly PhyPort[];
}

/** The description of a port. */
export interface PhyPort {
  /** How matches and actions name the port. */
  readonly portNo: Port;
  /** The MAC address of its interface. */
  readonly hwAddr: MacAddress;
  /** For people, such as `s1-eth2`; at most 15 bytes. */
  readonly name: string;
  /** What the administrator or a controller has set. */
  readonly config: SetBits<PortConfigBit>;
  /** What the switch itself says of it, such as `link_down`. */
  readonly state: SetBits<PortState>;
  /** Speed and duplex in use. */
  readonly curr: SetBits<PortFeature>;
  /** What it offers to the other end. */
  readonly advertised: SetBits<PortFeature>;
  /** What its hardware can do. */
  readonly supported: SetBits<PortFeature>;
  /** What the other end offers. */
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
  /** Where the switch keeps the whole packet, for the answer; `none` if `data` is all of it. */
  readonly bufferId: BufferId;
  /** The length of the whole packet in bytes. */
  readonly totalLen: number;
  /** The port at which it arrived. */
  readonly inPort: Port;
  /** Whether no entry matched (`no_match`), or an entry sent it (`action`). */
  readonly reason: PacketInReason;
  /** The packet as hexadecimal text; only its beginning if the switch keeps it. */
  readonly data: Hex;
}

/** A controller sends a packet out of a switch. */
export interface PacketOut extends Numbered {
  readonly type: 'packet_out';
  /** The packet that the switch keeps; with `none`, `data` is the packet. */
  readonly bufferId: BufferId;
  /** The port at which the packet is taken to have arrived: `flood` leaves it out. */
  readonly inPort: Port;
  /** Where the packet goes; an empty list drops it. */
  readonly actions: readonly Action[];
  /** The packet as hexadecimal text, if the switch does not keep it. */
  readonly data: Hex;
}

/** A change of the flow table. */
export interface FlowMod extends Numbered {
  readonly type: 'flow_mod';
  /** The packets that the entry is for; for `modify` and `delete`, all entries within it are meant. */
  readonly match: Match;
  /** Any 64 bits of the controller's; the switch only gives them back. */
  readonly cookie: Uint64;
  /** Whether entries are added, modified or deleted; `_strict` means that match and priority are equal. */
  readonly command: FlowModCommand;
  /** Seconds without a packet after which the entry is removed; 0 for never. */
  readonly idleTimeout: number;
  /** Seconds after which the entry is removed in any case; 0 for never. */
  readonly hardTimeout: number;
  /** The highest entry that matches wins; one without wildcards comes before all. */
  readonly priority: number;
  /** A packet that the switch keeps, to which the new entry is applied; `none` for no packet. */
  readonly bufferId: BufferId;
  /** For `delete`: only entries with an action to this port; `none` for all. */
  readonly outPort: Port;
  /** `send_flow_rem`: report the removal. `check_overlap`: refuse an entry that overlaps one of equal priority. `emerg`: for lost channels. */
  readonly flags: SetBits<FlowModFlag>;
  /** What happens to a packet, in this order; an empty list drops it. */
  readonly actions: readonly Action[];
}

/** An entry as a switch reports it, with its counters. */
interface CountedEntry {
  /** In normal form. */
  readonly match: Match;
  /** That of the flow_mod that made the entry. */
  readonly cookie: Uint64;
  /** From 0 to 65,535; an entry without wildcards comes before all. */
  readonly priority: number;
  /** How long the entry has been there, in whole seconds. */
  readonly durationSec: number;
  /** The rest of that time, in nanoseconds. */
  readonly durationNsec: number;
  /** Seconds without a packet after which it is removed; 0 for never. */
  readonly idleTimeout: number;
  /** Packets that the entry matched, as 64 bits. */
  readonly packetCount: Uint64;
  /** Their bytes, as 64 bits. */
  readonly byteCount: Uint64;
}

/** A switch reports an entry that is gone. */
export interface FlowRemoved extends Numbered, CountedEntry {
  readonly type: 'flow_removed';
  /** Which timeout passed, or that a flow_mod deleted it. */
  readonly reason: FlowRemovedReason;
}

/** The packets that a flow entry is for. A field that is left out is a wildcard. */
export interface Match {
  /** The port at which the packet arrived. */
  readonly inPort?: Port;
  /** The MAC address of the sender. */
  readonly dlSrc?: MacAddress;
  /** The MAC address of the receiver. */
  readonly dlDst?: MacAddress;
  /** `none`: frames without a tag. */
  readonly dlVlan?: number | 'none';
  /** The priority in the tag, from 0 to 7; ignored for frames without a tag. */
  readonly dlVlanPcp?: number;
  /** The EtherType, such as 0x0800 for IPv4; below 0x0600 for 802.3. */
  readonly dlType?: number;
  /** The upper six bits of the type of service; IPv4 only. */
  readonly nwTos?: number;
  /** 1 for ICMP, 6 for TCP, 17 for UDP; of ARP, the lower byte of the operation. */
  readonly nwProto?: number;
  /** The sender's IPv4 address or prefix; of ARP, the address that is asked from. */
  readonly nwSrc?: Ipv4Prefix;
  /** The receiver's IPv4 address or prefix; of ARP, the address that is asked for. */
  readonly nwDst?: Ipv4Prefix;
  /** The port of TCP or UDP that sends; the type of ICMP. */
  readonly tpSrc?: number;
  /** The port of TCP or UDP that receives; the code of ICMP. */
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
  /** Whether the port was added, deleted or modified. */
  readonly reason: PhyPortReason;
  /** The port as it is now; as it was, if it was deleted. */
  readonly desc: PhyPort;
}

/** A change of a port. */
export interface PortMod extends Numbered {
  readonly type: 'port_mod';
  /** The port to change. */
  readonly portNo: Port;
  /** Must be its address: the switch refuses the message otherwise. */
  readonly hwAddr: MacAddress;
  /** The new values of the bits in `mask`. */
  readonly config: SetBits<PortConfigBit>;
  /** Which bits of `config` change. */
  readonly mask: SetBits<PortConfigBit>;
  /** What the port offers from now on; an empty list changes nothing. */
  readonly advertise: SetBits<PortFeature>;
}

interface StatsHeader extends Numbered {
  /** None are defined in 1.0. */
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
export interface FlowStats extends CountedEntry {
  /** The number of the table, 0 for the first. */
  readonly tableId: number;
  /** Seconds after which it is removed in any case; 0 for never. */
  readonly hardTimeout: number;
  /** What happens to a packet, in this order. */
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
  /** Its number at the port. */
  readonly queueId: number;
  /** Rates that the queue has. */
  readonly properties: readonly QueueProperty[];
}

/** `rate` is in tenths of a percent; above 1000 it is disabled. */
export type QueueProperty =
  | { readonly property: 'none' }
  | { readonly property: 'min_rate'; readonly rate: number }
  /** A property that 1.0 does not have. */
  | { readonly property: number; readonly data: Hex };
