import type {
  Attach,
  Detach,
  InnerSwitch,
  NetworkContext,
  NetworkSwitchOptions,
  NetworkSwitchState,
} from './network-switch-state.ts';
import { ARRIVALS, departureFrom, DISK, placeAt } from './station-places.ts';
import { pingFrame } from './traffic-frames.ts';

/** A station that is on its way, on the disk of the switch that it left. */
interface Departure {
  readonly to: string;
  readonly attach: Attach;
}

/** The port of the station goes down. The station is on its way once that is durable: so it is never at two places. */
export function leave(
  state: NetworkSwitchState,
  { station: name, to }: Detach,
  options: NetworkSwitchOptions,
  ctx: NetworkContext,
  take: InnerSwitch,
): void {
  const place = placeAt(options, state.moved, name);
  if (place === undefined) return;
  const { port, hwAddr, station } = place;
  take(state, { type: 'link', port, isUp: false }, ctx);
  const { left, arrived } = state.moved;
  left.push(port);
  if (arrived.includes(place)) arrived.splice(arrived.indexOf(place), 1);
  const attach: Attach = { type: 'attach', station, port: to.port, hwAddr, record: state.stations[name] ?? null };
  delete state.stations[name];
  const departure: Departure = { to: to.switch, attach };
  void ctx.disk.write(departureFrom(port), departure);
}

/** Whether the write was one of a station. One that has left is sent to its new switch. */
export function sendOff(key: string, ctx: NetworkContext): boolean {
  if (!key.startsWith(DISK)) return false;
  if (key === ARRIVALS) return true;
  const { to, attach } = ctx.disk.peek(key) as Departure;
  ctx.send(to, attach, { lane: attach.station.name });
  return true;
}

/** A port appears, with the station. */
export function arrive(
  state: NetworkSwitchState,
  { station, port: wanted, hwAddr, record }: Attach,
  { announces }: NetworkSwitchOptions,
  ctx: NetworkContext,
  take: InnerSwitch,
): void {
  const port = state.ports.some(({ desc }) => desc.portNo === wanted) ? highestPort(state) + 1 : wanted;
  take(state, { type: 'port', port, hwAddr }, ctx);
  state.moved.arrived.push({ port, hwAddr, station });
  if (record !== null) state.stations[station.name] = record;
  void ctx.disk.write(ARRIVALS, state.moved.arrived);
  if (announces)
    ctx.send(ctx.self, { type: 'frame', port, packet: pingFrame(station, station) }, { lane: station.name });
}

export const highestPort = ({ ports }: Pick<NetworkSwitchState, 'ports'>): number =>
  ports.reduce((highest, { desc }) => Math.max(highest, desc.portNo), 0);
