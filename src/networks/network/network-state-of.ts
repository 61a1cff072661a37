import type { World } from '../../kernel/world.ts';
import type { NetworkState, PortView, SwitchView } from '../invariants/network-state.ts';
import { stationAt } from './station-places.ts';
import { switchOf, type SwitchIn } from './world-of-stations.ts';

/** The tables, ports and links of all switches that are up, as network invariants take them. */
export function networkStateOf(world: World): NetworkState {
  const up = world.up();
  const carries = linksIn(world, new Set(up.map(({ name }) => name)));
  return {
    switches: up.flatMap((process) => {
      const found = switchOf(process);
      return found === undefined ? [] : [viewOf(found, carries)];
    }),
  };
}

/** Whether a link delivers frames in both directions. */
type Carries = (one: string, other: string, lane: string | undefined) => boolean;

/** Which links are up in a world where these processes are. */
export function linksIn(world: World, up: ReadonlySet<string>): Carries {
  const cut = new Set(world.cutLinks.map(([from, to, lane]) => linkName(from, to, lane)));
  return (one, other, lane) =>
    up.has(other) &&
    (cut.size === 0 ||
      ![linkName(one, other, lane), linkName(other, one, lane), linkName(one, other), linkName(other, one)].some(
        (name) => cut.has(name),
      ));
}

const linkName = (from: string, to: string, lane?: string): string => JSON.stringify([from, to, lane]);

export function viewOf({ name, options, state }: SwitchIn, carries: Carries): SwitchView {
  if (state === undefined) return { name, entries: [], ports: [] };
  return {
    name,
    firstPorts: options.ports,
    entries: state.table.entries,
    ports: state.ports.map(({ desc: { portNo, config, state: bits } }): PortView => {
      const view = { portNo, isUp: !bits.includes('link_down'), config };
      const peer = options.ports.find((port) => port.portNo === portNo)?.peer;
      if (peer !== undefined)
        return {
          ...view,
          linkIsUp: carries(name, peer.process, peer.lane),
          peer: { kind: 'switch', name: peer.process, port: peer.port },
        };
      const station = stationAt(options, state.moved, portNo);
      return station === undefined ? view : { ...view, peer: { kind: 'station', ...station } };
    }),
  };
}
