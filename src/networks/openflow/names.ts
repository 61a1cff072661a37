/** Numbers of the standard and their names: the constants without prefix, in lower case. */

export const messageTypes = [
  'hello',
  'error',
  'echo_request',
  'echo_reply',
  'vendor',
  'features_request',
  'features_reply',
  'get_config_request',
  'get_config_reply',
  'set_config',
  'packet_in',
  'flow_removed',
  'port_status',
  'packet_out',
  'flow_mod',
  'port_mod',
  'stats_request',
  'stats_reply',
  'barrier_request',
  'barrier_reply',
  'queue_get_config_request',
  'queue_get_config_reply',
] as const;
export type MessageType = (typeof messageTypes)[number];

/** From 0xfff8. */
export const specialPorts = ['in_port', 'table', 'normal', 'flood', 'all', 'controller', 'local', 'none'] as const;
export type SpecialPort = (typeof specialPorts)[number];
export const FIRST_SPECIAL_PORT = 0xfff8;
/** The highest number of a physical port. */
export const PORT_MAX = 0xff00;

export const actionTypes = [
  'output',
  'set_vlan_vid',
  'set_vlan_pcp',
  'strip_vlan',
  'set_dl_src',
  'set_dl_dst',
  'set_nw_src',
  'set_nw_dst',
  'set_nw_tos',
  'set_tp_src',
  'set_tp_dst',
  'enqueue',
] as const;
/** In `features_reply`, a bit for each type of action. */
export type ActionBit = (typeof actionTypes)[number];

/** The number of actions, stats and others that vendors define. */
export const VENDOR = 0xffff;

export const statsTypes = ['desc', 'flow', 'aggregate', 'table', 'port', 'queue'] as const;
export type StatsType = (typeof statsTypes)[number] | 'vendor';

export const flowModCommands = ['add', 'modify', 'modify_strict', 'delete', 'delete_strict'] as const;
export type FlowModCommand = (typeof flowModCommands)[number];

export const flowModFlags = ['send_flow_rem', 'check_overlap', 'emerg'] as const;
export type FlowModFlag = (typeof flowModFlags)[number];

export const flowRemovedReasons = ['idle_timeout', 'hard_timeout', 'delete'] as const;
export type FlowRemovedReason = (typeof flowRemovedReasons)[number];

export const packetInReasons = ['no_match', 'action'] as const;
export type PacketInReason = (typeof packetInReasons)[number];

export const phyPortReasons = ['add', 'delete', 'modify'] as const;
export type PhyPortReason = (typeof phyPortReasons)[number];

export const portConfigBits = [
  'port_down',
  'no_stp',
  'no_recv',
  'no_recv_stp',
  'no_flood',
  'no_fwd',
  'no_packet_in',
] as const;
export type PortConfigBit = (typeof portConfigBits)[number];

/** Bits 8 and 9 of a port's state are one number: the state of the spanning tree. Its 0 is `stp_listen`, not listed. */
export const stpStates = ['stp_learn', 'stp_forward', 'stp_block'] as const;
export type PortState = 'link_down' | (typeof stpStates)[number];

export const portFeatures = [
  '10mb_hd',
  '10mb_fd',
  '100mb_hd',
  '100mb_fd',
  '1gb_hd',
  '1gb_fd',
  '10gb_fd',
  'copper',
  'fiber',
  'autoneg',
  'pause',
  'pause_asym',
] as const;
export type PortFeature = (typeof portFeatures)[number];

export const capabilities = [
  'flow_stats',
  'table_stats',
  'port_stats',
  'stp',
  'reserved',
  'ip_reasm',
  'queue_stats',
  'arp_match_ip',
] as const;
export type Capability = (typeof capabilities)[number];

export const switchConfigFlags = ['frag_drop', 'frag_reasm'] as const;
export type SwitchConfigFlag = (typeof switchConfigFlags)[number];

/** `more`: another reply to the same request follows. */
export const statsFlags = ['more'] as const;
export type StatsFlag = (typeof statsFlags)[number];

/** In the order of their numbers. */
export const errorCodes = {
  hello_failed: ['incompatible', 'eperm'],
  bad_request: [
    'bad_version',
    'bad_type',
    'bad_stat',
    'bad_vendor',
    'bad_subtype',
    'eperm',
    'bad_len',
    'buffer_empty',
    'buffer_unknown',
  ],
  bad_action: [
    'bad_type',
    'bad_len',
    'bad_vendor',
    'bad_vendor_type',
    'bad_out_port',
    'bad_argument',
    'eperm',
    'too_many',
    'bad_queue',
  ],
  flow_mod_failed: ['all_tables_full', 'overlap', 'eperm', 'bad_emerg_timeout', 'bad_command', 'unsupported'],
  port_mod_failed: ['bad_port', 'bad_hw_addr'],
  queue_op_failed: ['bad_port', 'bad_queue', 'eperm'],
} as const;
export type ErrorType = keyof typeof errorCodes;
export type ErrorCodes = { readonly [E in ErrorType]: (typeof errorCodes)[E][number] };
