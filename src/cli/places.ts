import { CulpritError } from '../error.ts';
import { handlerPlaces, shownPlaces } from '../explain/places/handler-places.ts';
import type { System } from '../system/definition.ts';
import type { Trace } from '../trace/format.ts';
import type { Named } from '../view/view-model.ts';
import { Stopped, type Interruption } from './interruption.ts';

/** Where the code is that handled each event of a trace, as far as that is known. */
export interface Places {
  /** As an editor finds them from the current folder. */
  readonly here?: readonly (string | undefined)[];
  /** From the folder of the system's package: for readers elsewhere. */
  readonly inPackage?: readonly (string | undefined)[];
  /** Which of them are missing, and why. */
  readonly missing?: { readonly what: string; readonly why: CulpritError };
}

/** Looking for places was stopped. */
export class PlacesStopped extends Stopped {
  readonly line = 'stopped   while looking up locations: no locations, no why';
}

/** The same, unless it is interrupted. */
export async function placesUnlessStopped(
  system: System,
  trace: Trace,
  isAsked: boolean,
  interruption: Interruption,
): Promise<Places & { readonly stopped?: PlacesStopped }> {
  try {
    return await interruption.unlessStopped(placesIn(system, trace, isAsked));
  } catch (error) {
    if (error instanceof Stopped) return { stopped: new PlacesStopped(error.exitCode) };
    throw error;
  }
}

/** Longer executions are not repeated for places that nobody has asked for: most take no time, but those of thousands of processes do. */
const EVENTS_UNASKED = 1_000;

/** A system that cannot be asked is no reason to fail: what happened is still so. */
async function placesIn(system: System, trace: Trace, isAsked = false): Promise<Places> {
  try {
    const { places, problem } = await handlerPlaces(system, trace, isAsked ? undefined : EVENTS_UNASKED);
    return {
      here: shownPlaces(places, system, process.cwd()),
      inPackage: shownPlaces(places, system),
      ...(problem === undefined ? {} : { missing: { what: 'locations of awaited operations', why: problem } }),
    };
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    return { missing: { what: 'locations', why: error } };
  }
}

/** What a page shows of the trace, with the places of its handlers as far as they are known. */
export async function placed(named: Named, system: System): Promise<Named> {
  const { inPackage } = await placesIn(system, named.trace);
  return inPackage === undefined ? named : { ...named, places: inPackage };
}
