import { relative, sep } from 'node:path';
import type { CulpritError } from '../../error.ts';
import { handlersOf } from './event-handlers.ts';
import { functionPlaces, type FunctionPlace } from './function-places.ts';
import { asSystem } from '../../kernel/user-code/async-code.ts';
import type { AnyBehavior } from '../../kernel/behavior.ts';
import { HANDLER_MS } from '../../kernel/drive.ts';
import { TimedOut, withinMs } from '../../kernel/user-code/time-limit.ts';
import type { HandlerName } from '../../kernel/handler-calls.ts';
import { followPrinting } from '../../kernel/user-code/console-capture.ts';
import { SystemHangs } from '../../kernel/errors.ts';
import { packageFolder } from '../../files/module-path.ts';
import { originOf } from '../../replay/replay.ts';
import type { ResolvedSystem } from '../../system/resolve.ts';
import type { System } from '../../system/definition.ts';
import type { Event } from '../../trace/event.ts';
import type { Trace } from '../../trace/format.ts';
import { eventOf } from '../../trace/codec.ts';
import { isUsersFile } from '../../system/user-code.ts';

/** The places of the user's code that handles the events of an execution. */
export interface HandlerPlaces {
  /** By event; undefined if no user code handles it, or the place is unknown. */
  readonly places: readonly (FunctionPlace | undefined)[];
  /** Why the places of events that a handler may have awaited are unknown. */
  readonly problem?: CulpritError;
}

/**
 * Finds the handlers in the system as it is now, which may differ from the system that made the trace. Executes at most
 * `eventsMax` events, to see what handlers awaited.
 */
export async function handlerPlaces(system: System, trace: Trace, eventsMax?: number): Promise<HandlerPlaces> {
  const origin = originOf(system, trace);
  const events = trace.events.map(eventOf);
  const { names, ...rest } = await handlersOf(origin, events, eventsMax);
  const behaviors = behaviorsIn(origin.system, events);
  const functions = events.map((event, at) => functionFor(event, names[at], behaviors, origin.system));
  const distinct = [...new Set(functions)].filter((one) => one !== undefined);
  const found = await functionPlaces(distinct);
  const byFunction = new Map(distinct.map((one, at) => [one, found[at]]));
  const places = functions.map((one) => {
    const place = one && byFunction.get(one);
    return place !== undefined && isUsersFile(place.file) ? place : undefined;
  });
  return { places, ...rest };
}

/** `src/lock.ts:31`, relative to the folder of the system's package or to the given one. */
export function shownPlaces(places: HandlerPlaces['places'], system: System, from?: string): (string | undefined)[] {
  return places.map((place) => {
    if (place === undefined) return undefined;
    const folder = from ?? packageFolder(system.file ?? place.file);
    return `${relative(folder, place.file).split(sep).join('/')}:${place.line}`;
  });
}

type Callable = (...args: never) => unknown;

function functionFor(
  event: Event,
  name: HandlerName | undefined,
  behaviors: ReadonlyMap<string, AnyBehavior>,
  { declaration }: ResolvedSystem,
): Callable | undefined {
  if (event.kind === 'act') return declaration.actions.get(event.action);
  const behavior = behaviors.get(event.process);
  return name && (behavior?.code === undefined ? behavior?.[name] : codeFor(behavior.code, name));
}

/** An opaque process handles timers and answers by callbacks, which no event names. */
const codeFor = (code: NonNullable<AnyBehavior['code']>, name: HandlerName): Callable | undefined =>
  name === 'start' || name === 'receive' ? code[name] : undefined;

/** The behavior of each process: the declared one, or the one that its kind made when it joined. */
function behaviorsIn({ declaration }: ResolvedSystem, events: readonly Event[]): Map<string, AnyBehavior> {
  const behaviors = new Map(declaration.processes);
  for (const event of events) {
    if ((event.kind !== 'start' && event.kind !== 'spawn') || behaviors.has(event.process)) continue;
    const kind = event.of === undefined ? undefined : declaration.kinds.get(event.of);
    if (kind !== undefined)
      behaviors.set(
        event.process,
        madeInTime(`the kind ${event.of}`, () => kind(event.args as never)),
      );
  }
  return behaviors;
}

function madeInTime(who: string, make: () => AnyBehavior): AnyBehavior {
  // Output of a user's factory function is treated like output of handlers.
  followPrinting();
  try {
    return asSystem(() => withinMs(HANDLER_MS, make));
  } catch (error) {
    throw error instanceof TimedOut ? new SystemHangs(who, HANDLER_MS) : error;
  }
}
