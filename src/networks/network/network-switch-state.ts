import type { Context } from '../../kernel/behavior.ts';
import type { LinkReport } from '../../kernel/declaration.ts';
import type { MacAddress } from '../bytes/data.ts';
import type { SwitchMessage, SwitchOptions, SwitchState } from '../switch/switch-state.ts';
import type { StationAddress, StationAnswers, StationRecord } from './station.ts';

/** A message for a switch of a network: that of any switch, a report on a link, or the move of a station. */
export type NetworkMessage = SwitchMessage | LinkReport | Detach | Attach;

/** A station leaves for a port of another switch, or of the same. */
export interface Detach {
  readonly type: 'detach';
  readonly station: string;
  readonly to: { readonly switch: string; readonly port: number };
}

/** A station arrives at a new port. */
export interface Attach {
  readonly type: 'attach';
  readonly station: StationAddress;
  readonly port: number;
  /** The new port has the address of the old one, as in STS. */
  readonly hwAddr: MacAddress;
  /** What the station has received so far; null for nothing. */
  readonly record: StationRecord | null;
}

/** The state of a switch, and of the stations at its ports. */
export interface NetworkSwitchState extends SwitchState {
  /** By name; only stations that have received something. */
  readonly stations: Record<string, StationRecord>;
  /** Where stations are that have moved: others are at the port of the topology. */
  readonly moved: StationPlaces;
}

export type NetworkContext = Context<NetworkMessage>;

export interface NetworkSwitchOptions extends Omit<SwitchOptions, 'edge' | 'ports'> {
  readonly ports: readonly NetworkPort[];
  readonly answers: StationAnswers;
  /** Whether a station that has moved pings itself, so that the network learns of it. */
  readonly announces: boolean;
}

/** A port with a switch or a station at the other end, or nothing. */
export type NetworkPort = SwitchOptions['ports'][number] & { readonly station?: StationAddress };

/** The stations of a switch that are not where the topology says. */
export interface StationPlaces {
  /** Ports that their stations have left. */
  readonly left: number[];
  readonly arrived: ArrivedStation[];
}

export interface ArrivedStation {
  readonly port: number;
  readonly hwAddr: MacAddress;
  readonly station: StationAddress;
}

/** The switch inside, which knows no stations. */
export type InnerSwitch = (state: SwitchState, message: SwitchMessage, ctx: NetworkContext) => void;
