import { CulpritError } from '../error.ts';
import { handlerPlaces, shownPlaces } from '../explain/places/handler-places.ts';
import type { System } from '../system/definition.ts';
import type { Trace } from '../trace/format.ts';
import type { NamedTrace } from '../view/view-model.ts';
import { Stopped, type Interruption } from './interruption.ts';

/** The places of the code that handled the events of a trace. */
export interface Places {
  /** Relative to the current folder, for an editor. */
  readonly here?: readonly (string | undefined)[];
  /** Relative to the folder of the system's package, for other readers. */
  readonly inPackage?: readonly (string | undefined)[];
  /** The places that are missing, and why. */
  readonly missing?: { readonly what: string; readonly why: CulpritError };
}

/** The search for places was interrupted. */
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

/** Without a request, longer executions are not repeated to find places: that is slow with thousands of processes. */
const EVENTS_UNASKED = 1_000;

/** If the system cannot be loaded or executed, places are missing, but the story is still shown. */
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

/** Adds the known places of handlers to a trace for the page. */
export async function placed(named: NamedTrace, system: System): Promise<NamedTrace> {
  const { inPackage } = await placesIn(system, named.trace);
  return inPackage === undefined ? named : { ...named, places: inPackage };
}
