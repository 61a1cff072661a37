import type { Certificate } from './report.ts';
import { externalsIn } from './minimizer.ts';
import type { Header, Trace } from '../trace/format.ts';
import { eventOf } from '../trace/codec.ts';

/** What is known of an execution that was made smaller. */
export type Initial = NonNullable<Header['minimized']>;

/** What was found in the first place: one that has been minimized before remembers it. */
export function initialOf({ header: { minimized }, events, verdict }: Trace, passes: readonly string[]): Initial {
  if (minimized === undefined) {
    const externals = externalsIn(events.map(eventOf));
    return { from: verdict.name, events: events.length, externals, schedules: 0, passes: [...passes] };
  }
  const { certificate: _outdated, ...before } = minimized;
  return { ...before, passes: [...passes] };
}

/** What it took to make an execution smaller, from where it began or was gone on with. */
export interface MinimizationSpent {
  readonly schedules: number;
  /** How many events were left after how many schedules. */
  readonly pace: readonly (readonly [schedules: number, events: number])[];
}

export function madeFrom(initial: Initial, trace: Trace, spent: MinimizationSpent, certificate?: Certificate): Trace {
  const before = initial.schedules;
  const pace = spent.pace.map(([schedules, events]): [number, number] => [before + schedules, events]);
  const minimized = {
    ...initial,
    schedules: before + spent.schedules,
    pace: [...(initial.pace ?? []), ...pace],
  };
  const certified = certificate === undefined ? minimized : { ...minimized, certificate };
  return { ...trace, header: { ...trace.header, minimized: certified } };
}
