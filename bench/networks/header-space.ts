import {
  fatTree,
  fieldsOf,
  HeaderSpace,
  lookUp,
  mesh,
  runActions,
  type FlowTable,
  type Topology,
} from 'culprit/networks';
import { Random } from 'culprit/kernel';
import type { Measured } from '../row.ts';
import { cpuSeconds, median } from '../timing.ts';
import { Prefixes, stateWith, type Precedence, type PrefixRoute } from './prefix-network.ts';
import { RoutedNetwork, type Matching } from './routed-network.ts';

const CHANGES = 2000;

/** What a look at whole networks and changes of flow tables cost in header space, beside walks of single packets. */
export function* headerSpace(): Generator<Measured> {
  const { full, changed } = measured(mesh(10), 1600, 'flow', 60);
  const name = 'mesh(10), 1,600 entries';
  yield { case: name, metric: 'whole network', value: full * 1e3, unit: 'ms', target: '< 20' };
  yield { case: name, metric: 'round of 100 changes', value: changed * 1e5, unit: 'ms', target: '< 20' };
  yield* onFatTree();
  yield* byPrefixes();
  for (const matching of ['dlDst', 'nwDst', 'dlSrc and dlDst'] as const) {
    const { changed: one } = measured(fatTree(16), 100_000, matching, 1);
    yield microseconds(`100,000 entries by ${matching}`, one, '<= 40');
  }
}

/** The median of three times. */
const secondsOf = (work: () => void): number => median([1, 2, 3].map(() => cpuSeconds(work)));

const microseconds = (name: string, seconds: number, target?: string): Measured => ({
  case: name,
  metric: 'change',
  value: seconds * 1e6,
  unit: 'µs',
  ...(target === undefined ? {} : { target }),
});

/** Tables of routers: 5,000 prefixes at each of 20 switches. */
function* byPrefixes(): Generator<Measured> {
  for (const precedence of ['longest prefix', 'random priority'] as const) {
    for (const withSource of [0, 0.2]) {
      const sources = withSource === 0 ? 'destination' : 'destination, and a fifth by source';
      yield* measuredPrefixes(`100,000 prefixes of ${sources}, ${precedence}`, precedence, withSource);
    }
  }
}

function* measuredPrefixes(name: string, precedence: Precedence, withSource: number): Generator<Measured> {
  const network = new RoutedNetwork(fatTree(4));
  const prefixes = new Prefixes(network, precedence, withSource, Random.seeded(5, 6));
  const { length } = network.topology.switches;
  const routes = (entries: number): PrefixRoute[] => Array.from({ length: entries / length }, () => prefixes.route());
  const space = new HeaderSpace(stateWith(network, routes(100_000)));
  const changes = routes(2 * CHANGES).flat();
  const follow = (): void => {
    for (const { name: at, entry } of changes) space.change(at, [], [entry]);
    for (const { name: at, entry } of changes.toReversed()) space.change(at, [entry], []);
  };
  if (space.loops.length + space.blackholes.length > 0) throw new Error('bench: the routes of this network are wrong');
  yield microseconds(name, secondsOf(follow) / (2 * changes.length), '<= 40');
}

function* onFatTree(): Generator<Measured> {
  const name = 'fatTree(16), 10,000 entries';
  const { full, changed, network } = measured(fatTree(16), 10_000, 'dlDst');
  yield { case: name, metric: 'whole network', value: full * 1e3, unit: 'ms' };
  yield { case: name, metric: 'change', value: changed * 1e6, unit: 'µs' };
  yield { case: name, metric: 'whole network / change', value: full / changed, unit: 'times', target: '>= 50' };
  const walk = walkSeconds(network);
  const { length } = network.topology.stations;
  const pairs = length * (length - 1);
  yield { case: name, metric: 'a packet for each pair / whole network', value: (walk * pairs) / full, unit: 'times' };
  const walks = pairs * network.entryCount;
  const metric = 'a packet for each pair and entry / whole network';
  yield { case: name, metric, value: (walk * walks) / full, unit: 'times', target: '>= 20' };
}

/** Seconds of CPU time for looking at a whole network, which is the median of several looks, and for one change of it. */
function measured(topology: Topology, entries: number, matching: Matching, looks = 9) {
  const network = new RoutedNetwork(topology);
  const routes = network.routes(entries + CHANGES, matching, Random.seeded(1, 2));
  for (const route of routes.slice(0, entries)) network.apply(route);
  const { state } = network;
  const space = new HeaderSpace(state);
  if (space.loops.length + space.blackholes.length > 0) throw new Error('bench: the routes of this network are wrong');
  const full = median(Array.from({ length: looks }, () => cpuSeconds(() => new HeaderSpace(state))));
  const changes = routes.slice(entries).map((route) => network.apply(route));
  const changed = secondsOf(() => {
    for (const { name, removed, added } of changes) space.change(name, removed, added);
    for (const { name, removed, added } of changes.toReversed()) space.change(name, added, removed);
  });
  return { full, changed: changed / (2 * CHANGES), network };
}

const WALKS = 20_000;

/** Seconds for one packet from one station to another, by the switches' own lookup and actions. */
function walkSeconds({ topology, tables, state }: RoutedNetwork): number {
  const random = Random.seeded(3, 4);
  const portsOf = new Map(
    state.switches.map(({ name, ports }) => [name, new Map(ports.map((port) => [port.portNo, port]))]),
  );
  const views = new Map(
    state.switches.map(({ name, ports }) => [name, ports.map(({ portNo }) => ({ portNo, config: [], state: [] }))]),
  );
  const digits = (mac: string): string => mac.replaceAll(':', '');
  const walk = (): void => {
    const [from, to] = [random.pick(topology.stations), random.pick(topology.stations)];
    let [at, inPort, packet] = [from.switch, from.port, `${digits(to.mac)}${digits(from.mac)}88b5${'00'.repeat(46)}`];
    for (;;) {
      const fields = fieldsOf(Buffer.from(packet, 'hex'), inPort);
      const entry = fields && lookUp(tables.get(at) as FlowTable, fields, 60, 0);
      const output = entry && runActions(entry.actions, packet, inPort, views.get(at) ?? [])[0];
      const peer = typeof output?.port === 'number' ? portsOf.get(at)?.get(output.port)?.peer : undefined;
      if (output === undefined || peer?.kind !== 'switch') return;
      [at, inPort, packet] = [peer.name, peer.port, output.packet];
    }
  };
  return (
    cpuSeconds(() => {
      for (let nth = 0; nth < WALKS; nth++) walk();
    }) / WALKS
  );
}
