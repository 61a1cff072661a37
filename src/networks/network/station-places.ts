import { newPort, type SwitchPort } from '../switch/ports.ts';
import type { ArrivedStation, NetworkSwitchOptions, StationPlaces } from './network-switch-state.ts';
import type { StationAddress } from './station.ts';

/** Stations are no part of a switch: its disk remembers those that moved, so that a crash leaves them where they are. */
export const DISK = 'station';
export const ARRIVALS = `${DISK} arrivals`;
export const departureFrom = (port: number): string => `${DISK} left ${port}`;

/** The places after a start: `peek` reads the disk. */
export function placesFrom({ ports }: NetworkSwitchOptions, peek: (key: string) => unknown): StationPlaces {
  const arrivals = (peek(ARRIVALS) ?? []) as readonly ArrivedStation[];
  const isLeft = (port: number): boolean => peek(departureFrom(port)) !== undefined;
  const declared = ports.flatMap(({ portNo, station }) => (station === undefined ? [] : [portNo]));
  return {
    left: [...declared, ...arrivals.map(({ port }) => port)].filter(isLeft),
    arrived: arrivals.filter(({ port }) => !isLeft(port)),
  };
}

/** The ports of a switch with those of stations that arrived; ports that were left are down. */
export function portsAt(ports: readonly SwitchPort[], { left, arrived }: StationPlaces): SwitchPort[] {
  const all = [...ports, ...arrived.map(({ port, hwAddr }) => newPort(port, hwAddr))];
  for (const port of all) if (left.includes(port.desc.portNo)) port.desc.state = ['link_down'];
  return all;
}

/** The station at a port now. */
export function stationAt(
  { ports }: NetworkSwitchOptions,
  { left, arrived }: StationPlaces,
  port: number,
): StationAddress | undefined {
  if (left.includes(port)) return undefined;
  const declared = ports.find(({ portNo }) => portNo === port)?.station;
  return declared ?? arrived.find((one) => one.port === port)?.station;
}

/** The place of a station at this switch now. */
export function placeAt(
  { ports }: NetworkSwitchOptions,
  { left, arrived }: StationPlaces,
  name: string,
): ArrivedStation | undefined {
  const moved = arrived.find(({ station }) => station.name === name);
  if (moved !== undefined) return moved;
  const home = ports.find(({ station }) => station?.name === name);
  if (home?.station === undefined || left.includes(home.portNo)) return undefined;
  return { port: home.portNo, hwAddr: home.hwAddr, station: home.station };
}
