import type { Topology } from '../topology/topology.ts';
import type { TrafficItems } from './traffic-items.ts';

/** What rounds need to know of a network. */
export interface RoundSubject {
  readonly topology: Topology;
  readonly traffic: TrafficItems;
  readonly controllersOf: (name: string) => readonly string[];
  readonly canMove: boolean;
}
