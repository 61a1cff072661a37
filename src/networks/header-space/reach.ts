import type { StationPeer } from '../invariants/network-state.ts';
import { narrowed, withSet, type Cube } from './cube.ts';
import { DL_DST, IN_PORT, macNumber } from './fields.ts';
import { walk } from './forward-walk.ts';
import { hopsTo, type Hop } from './hops.ts';
import type { ModelSwitch, NetworkModel } from './network-model.ts';
import { sendableBy } from './sendable.ts';
import { isFrame } from './shapes.ts';
import { presentCube } from './symbolic-header.ts';
import { only } from './value-set.ts';

/** A station, and the port where it is. */
export interface PlacedStation {
  readonly station: StationPeer;
  readonly at: ModelSwitch;
  readonly port: number;
}

export const stationsIn = (model: NetworkModel): PlacedStation[] =>
  [...model.switches].flatMap((at) =>
    [...at.ports.values()].flatMap(({ portNo: port, peer }) =>
      peer?.kind === 'station' ? [{ station: peer, at, port }] : [],
    ),
  );

/** Headers that reach a station: as they were sent, and as they arrive. */
export interface Reached {
  readonly station: StationPeer;
  readonly sent: Cube;
  readonly arriving: Cube;
  readonly hops: readonly Hop[];
}

export interface HeaderReach {
  readonly reached: readonly Reached[];
  /** Whether controllers get some of the packets, and may deliver them. */
  readonly asksController: boolean;
}

/** Where the packets go that a station sends to another one, or to anyone. */
export function reachOf(model: NetworkModel, { station, at, port }: PlacedStation, to?: StationPeer): HeaderReach {
  const reached: Reached[] = [];
  let asksController = false;
  for (const cube of sendableBy(station)) {
    const headers = to === undefined ? cube : narrowed(cube, DL_DST, only(macNumber(to.mac)));
    if (headers === undefined) continue;
    walk(model, at, withSet(headers, IN_PORT, only(port)), {
      controller: () => {
        asksController = true;
      },
      station: (visit, rule, output, other) => {
        const sent = output.headers.start;
        if (!isFrame(sent)) return;
        const hops = hopsTo(visit, rule, output.port);
        reached.push({ station: other, sent, arriving: presentCube(output.headers), hops });
      },
    });
  }
  return { reached, asksController };
}

/** The switches that frames can get to from this one, if flow entries send them everywhere. */
export function physicallyReachable(model: NetworkModel, from: ModelSwitch): ReadonlySet<ModelSwitch> {
  const found = new Set([from]);
  for (const at of found) {
    for (const port of at.ports.keys()) {
      const destination = model.destinationOf(at, port);
      if (destination.kind === 'switch') found.add(destination.at);
    }
  }
  return found;
}
