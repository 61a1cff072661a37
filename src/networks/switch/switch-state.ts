import type { Context } from '../../kernel/behavior.ts';
import type { Hex, MacAddress, Uint64 } from '../bytes/data.ts';
import type { FlowMod, Message, Port, SwitchConfig } from '../openflow/messages.ts';
import { emptyTable, type FlowTable } from './flow-table.ts';
import { newPort, type SwitchPort } from './ports.ts';

/**
 * A message for a switch: OpenFlow of a controller, as plain data or as bytes; the end of its channel; a frame that arrives at a port;
 * news of the link at a port; or a failure that the environment causes.
 */
export type SwitchMessage =
  | Message
  | { readonly type: 'bytes'; readonly bytes: Hex }
  | { readonly type: 'closed' }
  | { readonly type: 'frame'; readonly port: number; readonly packet: Hex }
  | { readonly type: 'link'; readonly port: number; readonly isUp: boolean }
  /** The switch gets a new port. */
  | { readonly type: 'port'; readonly port: number; readonly hwAddr: MacAddress }
  | { readonly type: 'control_failure' | 'control_recovery' }
  /** Of one controller, or of all. */
  | { readonly type: 'channel_reset'; readonly controller?: string };

export type SwitchTimer = 'expiry' | `connect ${string}` | `echo ${string}`;

export type SwitchContext = Context<SwitchMessage, SwitchTimer>;

/** The options of `openflowSwitch`. */
export interface SwitchOptions {
  /** Identifies the switch to controllers: 64 bits as hexadecimal text. */
  readonly datapathId: Uint64;
  /** The processes that control the switch. */
  readonly controllers: readonly string[];
  /** Its physical ports; those without a peer lead to `edge`. */
  readonly ports: readonly {
    readonly portNo: number;
    readonly hwAddr: MacAddress;
    /** The process at the other end of the link, its port, and the lane of the link. */
    readonly peer?: { readonly process: string; readonly port: number; readonly lane?: string };
  }[];
  /** Gets the frames that leave through a port without a process at the other end; by default they are lost. */
  readonly edge?: (state: SwitchState, portNo: number, packet: Hex, ctx: SwitchContext) => void;
  /** How many packets it keeps for controllers; 256 by default. When there are more, the oldest is dropped. */
  readonly buffers?: number;
  /** How many flow entries fit; 65,536 by default. */
  readonly tableMax?: number;
  /**
   * Each flow_mod takes effect in a later event of its own: in the order of arrival (`fifo`), or in any order between two barriers
   * (`unordered`). Without it, flow_mods take effect when they arrive.
   */
  readonly delayedTable?: 'fifo' | 'unordered';
  /** How often a silent controller is asked for an echo; a channel without an answer until the next time is closed. Never by default. */
  readonly echoMs?: number;
  /**
   * How often it tries to make a connection after a failure; without a limit by default. A check needs one to be complete: otherwise
   * a slow controller can be tried any number of times.
   */
  readonly connectTries?: number;
}

/** The state of a switch: plain data. */
export interface SwitchState {
  /** Identifies the switch to controllers: 64 bits as hexadecimal text. */
  readonly datapathId: Uint64;
  /** Its ports with their counters. */
  readonly ports: SwitchPort[];
  /** The flow entries. */
  readonly table: FlowTable;
  /** How fragments are treated, and how many bytes of a buffered packet go to a controller. */
  config: Pick<SwitchConfig, 'flags' | 'missSendLen'>;
  /** How many packets fit into `buffers`. */
  readonly bufferCount: number;
  /** The oldest first. A packet that was used is null until its place is needed. */
  readonly buffers: { readonly id: number; readonly inPort: Port; packet: Hex | null }[];
  /** The number that the next kept packet gets. */
  nextBuffer: number;
  /** By the name of the controller. */
  readonly channels: Record<string, ControlChannel>;
  /** Whether the control failure of the switch lasts: it has no channels then. */
  isControlDown: boolean;
  /** Flow_mods that wait for their effect, in the order of arrival. */
  readonly delayed: DelayedFlowMod[];
  /** Barriers that wait for delayed flow_mods, each with the later messages of its controller. */
  readonly behindBarriers: (Sender & { readonly message: Message })[];
  /** When the timer for the next flow entry that expires is set to; null if none does. */
  expiryMs: number | null;
}

/** The channel to a controller. */
export interface ControlChannel {
  /** Counts its connections: the hello of each has this number. */
  number: number;
  /** `connecting`: the controller has not answered the hello of this connection. */
  status: 'connecting' | 'connected' | 'closed';
  /** How often the switch has tried to make this connection, as far as that counts for the time until it tries again. */
  tries: number;
  /** Whether an echo is awaited. */
  awaitsEcho: boolean;
  /** The beginning of a message, if it arrives as bytes. */
  incomplete: Hex;
}

/** The controller that sent a message, and on which of its connections. */
export interface Sender {
  readonly controller: string;
  readonly connection: number;
}

interface DelayedFlowMod extends Sender {
  /** The operation that ends with its effect. */
  readonly key: string;
  readonly flowMod: FlowMod;
}

const BUFFERS = 256;
const TABLE_MAX = 65_536;
/** How much of a packet a controller gets unless it asks for more. */
const MISS_SEND_LEN = 128;

export const initialState = (options: SwitchOptions): SwitchState => ({
  datapathId: options.datapathId,
  ports: options.ports.map(({ portNo, hwAddr }) => newPort(portNo, hwAddr)),
  table: emptyTable(options.tableMax ?? TABLE_MAX),
  config: { flags: [], missSendLen: MISS_SEND_LEN },
  bufferCount: options.buffers ?? BUFFERS,
  buffers: [],
  nextBuffer: 1,
  channels: {},
  isControlDown: false,
  delayed: [],
  behindBarriers: [],
  expiryMs: null,
});
