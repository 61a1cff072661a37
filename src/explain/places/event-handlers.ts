import { CulpritError } from '../../error.ts';
import { ReplayDiverged, ReplayStrategy } from '../../schedule/replay/exact-replay.ts';
import { surely } from '../../kernel/drive.ts';
import { TimedOut } from '../../kernel/user-code/time-limit.ts';
import { handlerFor, mayBeAwaited, type HandlerName } from '../../kernel/handler-calls.ts';
import { endedAfter, execution, type Outcome, type Steps } from '../../kernel/loop.ts';
import type { Oracle, Session } from '../../kernel/ports.ts';
import { Simulation } from '../../kernel/simulation.ts';
import { Stalled, type Origin } from '../../execution/record.ts';
import type { Event, External, Internal } from '../../trace/event.ts';
import { HOLDS } from '../../trace/verdict.ts';

/** The handler that each event of an execution calls or resumes. */
export interface EventHandlers {
  /** By event; undefined if the event runs no handler, or the handler is unknown. */
  readonly names: readonly (HandlerName | undefined)[];
  /** Why the handlers of some events are unknown. */
  readonly problem?: CulpritError;
}

/**
 * Most events name their handler. A handler that awaits an event is found by repeating the execution up to that event;
 * handlers of events after the first `eventsMax` stay unknown.
 */
export async function handlersOf(
  origin: Origin,
  events: readonly Event[],
  eventsMax = Number.POSITIVE_INFINITY,
): Promise<EventHandlers> {
  const names = events.map(handlerFor);
  const lastAt = events.slice(0, eventsMax).findLastIndex(mayBeAwaited);
  if (lastAt < 0) return { names };
  try {
    await surely((isCareful) => following(origin, events, lastAt, names, isCareful), origin.handlerMs);
    return { names };
  } catch (error) {
    return { names, problem: problemFrom(error) };
  }
}

function problemFrom(error: unknown): CulpritError {
  if (error instanceof TimedOut) return new Stalled(`a handler was ended ${endedAfter(error)}`);
  if (error instanceof CulpritError) return error;
  throw error;
}

/** Nothing is judged: only the calls of handlers count here. */
const unjudged: Oracle = { judge: () => HOLDS };

/** Executes the events before the last one in question, and notes the handlers of the events in question. */
function following(
  { system, seed }: Origin,
  events: readonly Event[],
  lastAt: number,
  names: (HandlerName | undefined)[],
  isCareful: boolean,
): Steps<Outcome> {
  const session = Simulation.open(system.declaration, seed);
  const calls = session.handlerCalls();
  const replay = new ReplayStrategy(events);
  let underWay: { readonly event: Internal | External; readonly name: HandlerName | undefined } | undefined;
  const strategy = {
    next(now: Session): Internal | External | undefined {
      const at = now.world.length;
      const event = replay.next(now);
      if (event === undefined) return undefined;
      refuseOther(event, events[at] as Event, at);
      underWay = { event, name: calls.of(event) };
      if (mayBeAwaited(event)) names[at] = underWay.name;
      return at === lastAt ? undefined : event;
    },
  };
  const observe = (): void => {
    if (underWay !== undefined) calls.happened(underWay.event, underWay.name);
  };
  return execution(session, { strategy, oracle: unjudged, eventsMax: Number.POSITIVE_INFINITY, observe, isCareful });
}

/**
 * An identity says which process requested something, but not what. A system that has changed may request something
 * else.
 */
function refuseOther(now: Internal | External, recorded: Event, at: number): void {
  if (now.kind !== 'complete' || recorded.kind !== 'complete') return;
  const [was, is] = [recorded, now].map(({ operation, key }) => `${operation} ${key}`.trimEnd());
  if (was !== is)
    throw new ReplayDiverged(at + 1, `the recording completes ${was}, but the system now asks for ${is}.`);
}
