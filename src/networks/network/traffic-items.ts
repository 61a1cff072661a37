import type { External } from '../../trace/event.ts';
import type { Hex } from '../bytes/data.ts';
import type { CapturedPacket } from '../captures/captured-packet.ts';
import type { NetworkMessage } from './network-switch-state.ts';

export type TrafficItem = External<NetworkMessage>;

/** A numbered flow between two stations. */
export interface FlowOptions {
  /** 1 by default. */
  readonly flow?: number;
  /** Of TCP: the segments, the first of which opens the connection; 1 by default. */
  readonly segments?: number;
}

/** Single things that the environment does with a network: items of a workload. */
export interface TrafficItems {
  /** A station sends a frame, as hexadecimal text. */
  readonly inject: (station: string, packet: Hex) => TrafficItem;
  /** Packets that were recorded elsewhere, each sent by the station that has the address of its sender. */
  readonly captured: (packets: readonly CapturedPacket[]) => TrafficItem[];
  /** An ICMP echo request; from a station to itself, so that the network learns where it is. */
  readonly ping: (from: string, to: string) => TrafficItem;
  /** A broadcast request for a MAC address. */
  readonly arp: (from: string, to: string) => TrafficItem;
  /** The segments that a station sends of one TCP connection, the SYN first; `flow` tells connections of two stations apart. */
  readonly tcp: (from: string, to: string, of?: FlowOptions) => TrafficItem[];
  /** A datagram; `flow` tells those of two stations apart by their port. */
  readonly udp: (from: string, to: string, of?: Pick<FlowOptions, 'flow'>) => TrafficItem;
  /** A station moves to a new port of a switch. */
  readonly migrate: (station: string, to: string) => TrafficItem;
  /** Every station pings itself. */
  readonly toSelf: () => TrafficItem[];
  /** Every station pings every other one. */
  readonly allToAll: () => TrafficItem[];
  /** Cuts a link between two switches. Where there are several, name ports: `s1.3`. */
  readonly cutLink: (one: string, other: string) => External<never>;
  /** Lets a link that was cut carry frames again. */
  readonly healLink: (one: string, other: string) => External<never>;
}
