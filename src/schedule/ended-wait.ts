import type { EndedWait } from '../trace/event.ts';

/** The event of a wait that is over. */
export const endedWait = (
  { condition, withinMs }: { readonly condition: string; readonly withinMs?: number | undefined },
  tookMs: number,
  met: boolean,
): EndedWait => ({
  kind: 'wait',
  condition,
  ...(withinMs === undefined ? {} : { withinMs }),
  // In microseconds, as the times of events.
  tookMs: Math.round(tookMs * 1000) / 1000,
  met,
});
