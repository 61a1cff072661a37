import type { ProcessView, World } from '../../kernel/world.ts';
import { optionsOf } from './network-switch.ts';
import type { NetworkSwitchOptions, NetworkSwitchState } from './network-switch-state.ts';
import { merged, type StationRecord } from './station.ts';
import { placeAt, placesFrom } from './station-places.ts';

/** Where stations are in a world, and what they have received. */

/** A switch of a network; `state` is undefined while it is down. */
export interface SwitchIn {
  readonly name: string;
  readonly options: NetworkSwitchOptions;
  readonly state: NetworkSwitchState | undefined;
}

/** The process as a switch of a network; undefined if it is another process. */
export function switchOf({ name, behavior, state }: ProcessView): SwitchIn | undefined {
  const options = optionsOf(behavior);
  return options && { name, options, state: state as NetworkSwitchState | undefined };
}

/** The port of a station now; undefined if it is elsewhere. */
function portAt(process: ProcessView, station: string): number | undefined {
  const found = switchOf(process);
  if (found === undefined) return undefined;
  const { options, state } = found;
  const places = state?.moved ?? placesFrom(options, (key) => process.disk.get(key));
  return placeAt(options, places, station)?.port;
}

export interface StationPlace {
  readonly switch: string;
  readonly port: number;
}

/** The place of a station; undefined while it is on its way. Most are at home, so that is looked at first. */
export function placeOfStation(
  world: World,
  station: string,
  home: string,
  switches: readonly string[],
): StationPlace | undefined {
  for (const name of [home, ...switches]) {
    const port = portAt(world.process(name), station);
    if (port !== undefined) return { switch: name, port };
  }
  return undefined;
}

const nothing: StationRecord = { frames: 0, last: [] };

/** The frames that have reached a station by any of its interfaces, at switches that are up. A further interface may be asked for by its own name. */
export function receivedBy(world: World, station: string): StationRecord {
  const records = world.up().flatMap((process) => {
    const { [station]: own, ...others } = switchOf(process)?.state?.stations ?? {};
    const further = Object.values(others).filter(({ of }) => of === station);
    return own === undefined ? further : [own, ...further];
  });
  return records.length > 1 ? merged(records) : (records[0] ?? nothing);
}

/** The frames that have reached one interface. */
export function receivedAt(world: World, name: string): StationRecord {
  for (const process of world.up()) {
    const record = switchOf(process)?.state?.stations[name];
    if (record !== undefined) return record;
  }
  return nothing;
}
