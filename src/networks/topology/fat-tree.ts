import { macOf, PORT_MAX } from './published-addresses.ts';
import { switchCalled, upTo } from './numbered.ts';
import { checkSize } from './sizes.ts';
import type { Station, Topology, TopologyLink, TopologySwitch } from './topology.ts';

/**
 * The fat tree of k pods (Al-Fares and others, 2008), as STS numbers it: edges by pod, then aggregations by pod, then cores.
 * An edge has stations at its ports 1 to k/2 and aggregations behind them; an aggregation has edges at its ports 1 to k/2 and
 * cores behind them; a core has pod p at port p + 1. Halves of an odd k are rounded down.
 */
export function fatTree(k: number): Topology {
  checkSize('fatTree', k, 2, PORT_MAX);
  const shape: Shape = { pods: k, half: Math.floor(k / 2) };
  const switches = switchesOf(shape);
  // One string for each name, because a large tree has a million ends.
  const nameOf = (dpid: number): string => (switches[dpid - 1] as TopologySwitch).name;
  return { switches, links: linksOf(shape, nameOf), stations: stationsOf(shape, nameOf) };
}

interface Shape {
  readonly pods: number;
  readonly half: number;
}

/** Numbers of switches; pods and positions in them count from 0. */
const edge = ({ half }: Shape, pod: number, position: number): number => pod * half + position + 1;
const aggregation = (shape: Shape, pod: number, position: number): number =>
  shape.pods * shape.half + edge(shape, pod, position);
const core = ({ pods, half }: Shape, nth: number): number => 2 * pods * half + nth + 1;

function switchesOf({ pods, half }: Shape): Topology['switches'] {
  const inPods = 2 * pods * half;
  return upTo(inPods + half * half).map((dpid) => switchCalled(dpid, dpid <= inPods ? 2 * half : pods));
}

type NameOf = (dpid: number) => string;

function linksOf(shape: Shape, nameOf: NameOf): TopologyLink[] {
  const { pods, half } = shape;
  const links: TopologyLink[] = [];
  const join = (one: number, onePort: number, other: number, otherPort: number): void => {
    links.push({
      ends: [
        { switch: nameOf(one), port: onePort },
        { switch: nameOf(other), port: otherPort },
      ],
    });
  };
  for (let pod = 0; pod < pods; pod++)
    for (let at = 0; at < half; at++)
      for (let to = 0; to < half; to++) {
        join(edge(shape, pod, at), half + to + 1, aggregation(shape, pod, to), at + 1);
        join(aggregation(shape, pod, at), half + to + 1, core(shape, at * half + to), pod + 1);
      }
  return links;
}

function stationsOf(shape: Shape, nameOf: NameOf): Station[] {
  const { pods, half } = shape;
  const stations: Station[] = [];
  for (let pod = 0; pod < pods; pod++)
    for (let position = 0; position < half; position++)
      for (let port = 1; port <= half; port++)
        stations.push({
          name: `h${stations.length + 1}`,
          switch: nameOf(edge(shape, pod, position)),
          port,
          mac: macOf(0, 0, 0, pod, position, port),
          ip: `123.${pod}.${position}.${port}`,
        });
  return stations;
}
