import { isCut, type ShownTopology } from './shown-topology.ts';

/** The drawing for a reader who does not see it. */
export function spokenOf(topology: ShownTopology, event: number): string {
  const { nodes, links, channels } = topology.graph;
  const cut = [
    ...links.filter((link) => isCut(topology.cutOf(link, event))).map(({ ends }) => ends.map(({ process }) => process)),
    ...channels
      .filter((channel) => isCut(topology.cutOfChannel(channel, event)))
      .map(({ controller, node }) => [controller, node]),
  ];
  const places = topology.stationsAt(event).map(({ name, node }) => `${name} at ${node}`);
  return [
    `Topology after event ${event + 1}: ${nodes.length} nodes, ${links.length} links`,
    ...(cut.length === 0 ? [] : [`cut: ${cut.map((ends) => ends.join(' to ')).join(', ')}`]),
    ...(places.length === 0 ? [] : [`stations: ${places.join(', ')}`]),
  ].join('; ');
}
