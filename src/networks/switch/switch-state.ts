import type { Context } from '../../kernel/behavior.ts';
import type { Hex, MacAddress, Uint64 } from '../bytes/data.ts';
import type { Message, PhyPort, Port, PortStats, SwitchConfig } from '../openflow/messages.ts';
import { emptyTable, type FlowTable } from './flow-table.ts';

/** A message for a switch: OpenFlow of a controller, a frame that arrives at a port, or news of the link at a port. */
export type SwitchMessage =
  | Message
  | { readonly type: 'frame'; readonly port: number; readonly packet: Hex }
  | { readonly type: 'link'; readonly port: number; readonly isUp: boolean }
  /** The switch gets a new port. */
  | { readonly type: 'port'; readonly port: number; readonly hwAddr: MacAddress };

export type SwitchContext = Context<SwitchMessage, 'expiry'>;

export interface SwitchOptions {
  readonly datapathId: Uint64;
  /** The processes that control the switch. */
  readonly controllers: readonly string[];
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
}

/** The state of a switch: plain data. */
export interface SwitchState {
  readonly datapathId: Uint64;
  readonly ports: SwitchPort[];
  readonly table: FlowTable;
  config: Pick<SwitchConfig, 'flags' | 'missSendLen'>;
  readonly bufferCount: number;
  /** The oldest first. A packet that was used is null until its place is needed. */
  readonly buffers: { readonly id: number; readonly inPort: Port; packet: Hex | null }[];
  nextBuffer: number;
}

export interface SwitchPort {
  desc: PhyPort & { readonly portNo: number };
  readonly counters: { -readonly [K in Counter]: number };
}

type Counter = keyof Pick<PortStats, 'rxPackets' | 'txPackets' | 'rxBytes' | 'txBytes' | 'rxDropped' | 'txDropped'>;

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
});

export const newPort = (portNo: number, hwAddr: MacAddress): SwitchPort => ({
  desc: {
    portNo,
    hwAddr,
    name: `port${portNo}`,
    config: [],
    state: [],
    curr: [],
    advertised: [],
    supported: [],
    peer: [],
  },
  counters: { rxPackets: 0, txPackets: 0, rxBytes: 0, txBytes: 0, rxDropped: 0, txDropped: 0 },
});
