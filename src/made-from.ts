import type { Certificate } from './minimize.ts';
import { externalsIn } from './minimizing.ts';
import type { Header, Trace } from './trace/format.ts';
import { eventOf } from './trace/lines.ts';

/** What is known of an execution that was made smaller. */
export type Initial = NonNullable<Header['minimized']>;

/** What was found in the first place: one that has been minimised before remembers it. */
export function initialOf({ header: { minimized }, events, verdict }: Trace, passes: readonly string[]): Initial {
  if (minimized === undefined) {
    const externals = externalsIn(events.map(eventOf));
    return { from: verdict.name, events: events.length, externals, schedules: 0, passes: [...passes] };
  }
  const { certificate: _outdated, ...before } = minimized;
  return { ...before, passes: [...passes] };
}

export function madeFrom(initial: Initial, trace: Trace, schedules: number, certificate?: Certificate): Trace {
  const minimized = { ...initial, schedules: initial.schedules + schedules };
  const certified = certificate === undefined ? minimized : { ...minimized, certificate };
  return { ...trace, header: { ...trace.header, minimized: certified } };
}
