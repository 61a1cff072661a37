import type { World } from '../../kernel/world.ts';
import type { NetworkState, PortView } from '../invariants/network-state.ts';
import { aligned } from '../../text/aligned.ts';
import type { Topology } from '../topology/topology.ts';
import { networkStateOf } from './network-state-of.ts';
import { placeOfStation, receivedAt, switchOf } from './world-of-stations.ts';

/** What `culprit step` lists of a network. */

/** More than this is only counted. */
const LISTED_MAX = 200;

/** `s1  up  2 flow entries  c1 connected  1 – s2.1, 2 – h1`. */
export function switchLines({ switches }: Topology, world: World): string[] {
  const { switches: up } = networkStateOf(world);
  const views = new Map(up.map((view) => [view.name, view]));
  return table(
    switches.map(({ name }) => name),
    (name) => {
      const view = views.get(name);
      return view === undefined
        ? [name, 'down']
        : [name, 'up', entryCount(view), channelWords(world, name), portWords(view)];
    },
  );
}

type View = NetworkState['switches'][number];

const entryCount = ({ entries: { length } }: View): string => `${length} flow ${length === 1 ? 'entry' : 'entries'}`;

function channelWords(world: World, name: string): string {
  const channels = switchOf(world.process(name))?.state?.channels ?? {};
  return Object.entries(channels)
    .map(([controller, { status }]) => `${controller} ${status}`)
    .join(', ');
}

const portWords = ({ ports }: View): string =>
  ports.map((port) => `${port.portNo} – ${peerName(port)}${portTrouble(port)}`).join(', ');

const peerName = ({ peer }: PortView): string => {
  if (peer === undefined) return 'nothing';
  return peer.kind === 'switch' ? `${peer.name}.${peer.port}` : peer.name;
};

function portTrouble({ isUp, linkIsUp }: PortView): string {
  if (!isUp) return ' (down)';
  return linkIsUp === false ? ' (cut)' : '';
}

/** `h1  s1.2  12:34:56:78:01:02  123.123.1.2  3 frames`. */
export function stationLines({ switches, stations }: Topology, world: World): string[] {
  const all = switches.map(({ name }) => name);
  return table(stations, ({ name, switch: home, mac, ip }) => {
    const place = placeOfStation(world, name, home, all);
    const { frames } = receivedAt(world, name);
    return [
      name,
      place === undefined ? 'on its way' : `${place.switch}.${place.port}`,
      mac,
      ip,
      `${frames} frame${frames === 1 ? '' : 's'}`,
    ];
  });
}

function table<T>(items: readonly T[], row: (item: T) => readonly string[]): string[] {
  const rows = items.slice(0, LISTED_MAX).map(row);
  const lines = aligned(rows).map((line) => `  ${line}`);
  const left = items.length - rows.length;
  return left === 0 ? lines : [...lines, `  … ${left} more`];
}
