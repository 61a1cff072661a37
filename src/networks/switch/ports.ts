import type { SetBits, MacAddress } from '../bytes/data.ts';
import type { PhyPort, PortStats } from '../openflow/messages.ts';
import type { PortConfigBit, PortState } from '../openflow/names.ts';

/** A port of a switch. A network has a million of them, so a port keeps only what can change and what nothing else says. */
export interface SwitchPort {
  readonly desc: {
    readonly portNo: number;
    readonly hwAddr: MacAddress;
    config: SetBits<PortConfigBit>;
    state: SetBits<PortState>;
  };
  /** Absent until the first packet. */
  counters?: PortCounters;
}

export type PortCounters = {
  -readonly [
    K in keyof Pick<PortStats, 'rxPackets' | 'txPackets' | 'rxBytes' | 'txBytes' | 'rxDropped' | 'txDropped'>
  ]: number;
};

export const newPort = (portNo: number, hwAddr: MacAddress): SwitchPort => ({
  desc: { portNo, hwAddr, config: [], state: [] },
});

export const portCalled = (
  { ports }: { readonly ports: readonly SwitchPort[] },
  portNo: unknown,
): SwitchPort | undefined => {
  // Ports are usually numbered from 1, in order.
  const guess = typeof portNo === 'number' ? ports[portNo - 1] : undefined;
  return guess?.desc.portNo === portNo ? guess : ports.find(({ desc }) => desc.portNo === portNo);
};

/** The description that controllers get. Without a spread: its objects would take several times the memory. */
export const descriptionOf = ({ desc: { portNo, hwAddr, config, state } }: SwitchPort): PhyPort => ({
  portNo,
  hwAddr,
  config,
  state,
  name: `port${portNo}`,
  curr: [],
  advertised: [],
  supported: [],
  peer: [],
});

const noCounters: PortCounters = {
  rxPackets: 0,
  txPackets: 0,
  rxBytes: 0,
  txBytes: 0,
  rxDropped: 0,
  txDropped: 0,
};

/** The counters of a port, to be read. */
export const countersOf = ({ counters }: SwitchPort): Readonly<PortCounters> => counters ?? noCounters;

/** The counters of a port, to be changed. */
export const ownCounters = (port: SwitchPort): PortCounters => (port.counters ??= { ...noCounters });
