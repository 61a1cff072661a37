import type { Scene } from '../model/scene.ts';

/** The height of a row in pixels; the style sheet repeats it. */
export const ROW = 24;

/** Below this width, names of processes are vertical. */
export const NARROW_LANE = 72;

/** The distance between the lines of processes: small enough to fit, large enough to tell them apart. */
export function laneWidth({ executions }: Scene): number {
  const lanes = Math.max(1, ...executions.map((execution) => execution.lanes.length));
  const room = executions.length === 2 ? 150 : 520;
  return Math.max(26, Math.min(88, Math.floor(room / lanes)));
}
