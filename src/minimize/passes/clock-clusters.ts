import { ENVIRONMENT, type Event } from '../../trace/event.ts';
import { withAlternatives } from './ambiguities.ts';
import { without, type Asking, type Failing, type Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import type { Rules } from '../rules.ts';

/**
 * Drops rounds of a protocol, like DEMi's clock clusters: all deliveries of messages with the same logical clock, such
 * as a term, are dropped together. A timer carries no clock, so timers are dropped one by one: first with all clusters
 * in place, then together with each cluster that cannot be dropped alone. Clocks are tried in ascending order. If the
 * system does not declare a clock, nothing is tried.
 */
export const clockClusters = (likeness: Likeness): Pass => withAlternatives(dropClusters(likeness));

const dropClusters = (likeness: Likeness): Pass =>
  function* (failing) {
    if (failing.rules.clock === undefined) return failing;
    const fewer = yield* dropTimers(failing, likeness);
    return yield* dropEachCluster(fewer, likeness);
  };

/** Tries to drop each timer once, from the first to the last. */
function* dropTimers(failing: Failing, likeness: Likeness): Asking<Failing> {
  let smallest = failing;
  for (let nth = 0; ;) {
    const timer = timersIn(smallest.events)[nth];
    if (timer === undefined) return smallest;
    const smaller = yield* smallerWithout(smallest, [timer], likeness);
    if (smaller === undefined) nth += 1;
    else smallest = smaller;
  }
}

/** After a cluster is dropped, later clocks may be lower than before, so the same clock is tried again. */
function* dropEachCluster(failing: Failing, likeness: Likeness): Asking<Failing> {
  let smallest = failing;
  for (let above = Number.NEGATIVE_INFINITY; ;) {
    const clock = lowestAbove(above, smallest);
    if (clock === undefined) return smallest;
    const smaller: Failing | undefined = yield* dropCluster(smallest, clock, likeness);
    if (smaller === undefined) above = clock;
    else smallest = smaller;
  }
}

/** Drops all deliveries with this clock, alone or with one timer. */
function* dropCluster(failing: Failing, clock: number, likeness: Likeness): Asking<Failing | undefined> {
  const { events, rules } = failing;
  const cluster = [...events.keys()].filter((at) => clockOf(events[at] as Event, rules) === clock);
  for (const timers of [[], ...timersIn(events).map((timer) => [timer])]) {
    const smaller = yield* smallerWithout(failing, [...cluster, ...timers], likeness);
    if (smaller !== undefined) return smaller;
  }
  return undefined;
}

function* smallerWithout(failing: Failing, places: readonly number[], likeness: Likeness): Asking<Failing | undefined> {
  const smaller = yield* without(failing, new Set(places), likeness);
  return smaller !== undefined && smaller.events.length < failing.events.length ? smaller : undefined;
}

const lowestAbove = (bound: number, { events, rules }: Failing): number | undefined => {
  const clocks = events.flatMap((event) => clockOf(event, rules) ?? []).filter((clock) => clock > bound);
  return clocks.length === 0 ? undefined : clocks.reduce((one, other) => Math.min(one, other));
};

const timersIn = (events: readonly Event[]): number[] =>
  [...events.keys()].filter((at) => (events[at] as Event).kind === 'fire');

/** Messages of the environment are externals: their deliveries stay, with any clock. */
const clockOf = (event: Event, { clock }: Rules): number | undefined =>
  event.kind === 'deliver' && event.from !== ENVIRONMENT ? clock?.(event.message) : undefined;
