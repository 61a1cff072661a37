import type { Certificate } from './report.ts';
import { externalsIn } from './minimizer.ts';
import type { WaitingCounts } from '../execution/waiting-replay.ts';
import type { Header, Trace } from '../trace/format.ts';
import { eventOf } from '../trace/codec.ts';

/** The header field about minimization. */
export type MinimizationRecord = NonNullable<Header['minimized']>;

/** The record of the original execution. A trace that was minimized before has one. */
export function recordOf(
  { header: { minimized }, events, verdict }: Trace,
  passes: readonly string[],
): MinimizationRecord {
  if (minimized === undefined) {
    const externals = externalsIn(events.map(eventOf));
    return { from: verdict.name, events: events.length, externals, schedules: 0, passes: [...passes] };
  }
  const { certificate: _outdated, ...before } = minimized;
  return { ...before, passes: [...passes] };
}

/** The cost of one minimization. */
export interface MinimizationSpent {
  readonly schedules: number;
  /** The number of events left, after how many schedules. */
  readonly shrinkCurve: readonly (readonly [schedules: number, events: number])[];
  /** Where events appear by themselves. */
  readonly waiting?: WaitingCounts | undefined;
}

export function withRecord(
  initial: MinimizationRecord,
  trace: Trace,
  spent: MinimizationSpent,
  certificate?: Certificate,
): Trace {
  const before = initial.schedules;
  const shrinkCurve = spent.shrinkCurve.map(([schedules, events]): [number, number] => [before + schedules, events]);
  const minimized = {
    ...initial,
    schedules: before + spent.schedules,
    shrinkCurve: [...(initial.shrinkCurve ?? []), ...shrinkCurve],
    ...(spent.waiting === undefined ? {} : { waiting: spent.waiting }),
  };
  const certified = certificate === undefined ? minimized : { ...minimized, certificate };
  return { ...trace, header: { ...trace.header, minimized: certified } };
}
