import type { Header } from 'culprit/trace';

/** Pairs of schedules executed and events left. */
export type Pace = readonly (readonly [schedules: number, events: number])[];

/** The shrink curve of a minimized execution; empty if its file has none. */
export function paceOf({ minimized }: Header): Pace {
  const pace: unknown = minimized !== undefined && 'pace' in minimized ? minimized.pace : undefined;
  return Array.isArray(pace) ? (pace as Pace) : [];
}
