import type { Header } from 'culprit/trace';

/** Pairs of schedules executed and events left. */
export type Pace = readonly (readonly [schedules: number, events: number])[];

/** How an execution shrank while it was minimized; empty where its file does not say. */
export function paceOf({ minimized }: Header): Pace {
  const pace: unknown = minimized !== undefined && 'pace' in minimized ? minimized.pace : undefined;
  return Array.isArray(pace) ? (pace as Pace) : [];
}
