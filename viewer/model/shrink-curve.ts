import type { Header } from 'culprit/trace';

/** Pairs of schedules executed and events left. */
export type ShrinkCurve = readonly (readonly [schedules: number, events: number])[];

/** How an execution shrank while it was minimized; empty where its file does not say. */
export function shrinkCurveOf({ minimized }: Header): ShrinkCurve {
  const curve: unknown = minimized !== undefined && 'shrinkCurve' in minimized ? minimized.shrinkCurve : undefined;
  return Array.isArray(curve) ? (curve as ShrinkCurve) : [];
}
