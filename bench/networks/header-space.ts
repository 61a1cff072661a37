import { isDeepStrictEqual } from 'node:util';
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
import { compareHeaderSpace } from '../../test/twins/networks/header-space/compare-header-space.ts';
import { RandomNetwork } from '../../test/twins/networks/header-space/random-network.ts';
import { representativePackets } from '../../test/twins/networks/header-space/representative-packets.ts';
import type { Measured } from '../row.ts';
import { cpuSeconds } from '../timing.ts';
import { RoutedNetwork, type Matching } from './routed-network.ts';

const NETWORKS = 1000;
/** Networks with more representative packets would take most of the time. */
const PACKETS_MAX = 1000;
const CHANGES = 2000;

/** Header space beside walks of single packets, and what changes of flow tables cost. Exits with 1 if it is wrong about a network. */
export function* headerSpace(): Generator<Measured> {
  yield* compared();
  for (const matching of ['dlDst', 'nwDst', 'dlSrc and dlDst'] as const) {
    const { changed } = measured(fatTree(16), 100_000, matching);
    yield {
      case: `100,000 entries by ${matching}`,
      metric: 'change',
      value: changed * 1e6,
      unit: 'µs',
      target: '<= 40',
    };
  }
  yield* onFatTree();
  const { full, changed } = measured(mesh(10), 1600, 'flow');
  const name = 'mesh(10), 1,600 entries';
  yield { case: name, metric: 'whole network', value: full * 1e3, unit: 'ms' };
  yield { case: name, metric: 'round of 100 changes', value: changed * 1e5, unit: 'ms', target: '< 20' };
}

/** Random networks, each with all of its representative packets. */
function* compared(): Generator<Measured> {
  let [networks, packets, different] = [0, 0, 0];
  for (let seed = 1; networks < NETWORKS; seed++) {
    const { state } = new RandomNetwork(seed);
    if (representativePackets(state).length > PACKETS_MAX) continue;
    const { fast, slow, packets: count } = compareHeaderSpace(state);
    networks++;
    packets += count;
    if (isDeepStrictEqual(fast, slow)) continue;
    different++;
    console.error(`Header space is wrong about the network of seed ${seed}.`);
  }
  if (different > 0) process.exitCode = 1;
  yield { case: 'random networks', metric: 'compared', value: networks, unit: 'networks' };
  yield { case: 'random networks', metric: 'walked', value: packets, unit: 'packets' };
  yield { case: 'random networks', metric: 'differ', value: different, unit: 'networks', target: '0' };
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

/** Seconds of CPU time for looking at a whole network, and for one change of it. */
function measured(topology: Topology, entries: number, matching: Matching) {
  const network = new RoutedNetwork(topology);
  const routes = network.routes(entries + CHANGES, matching, Random.seeded(1, 2));
  for (const route of routes.slice(0, entries)) network.apply(route);
  const { state } = network;
  const space = new HeaderSpace(state);
  if (space.loops.length + space.blackholes.length > 0) throw new Error('bench: the routes of this network are wrong');
  const full = cpuSeconds(() => new HeaderSpace(state));
  const changes = routes.slice(entries).map((route) => network.apply(route));
  const changed = cpuSeconds(() => {
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
