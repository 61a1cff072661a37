import type { Scene } from '../model/scene.ts';

/** The height of a row, in pixels; the style sheet has it too. */
export const ROW = 24;

/** Below this width, names of processes stand upright above their lines. */
export const NARROW_LANE = 72;

/** How far apart the lines of processes are: near enough to fit, far enough to be told apart. */
export function laneWidth({ executions }: Scene): number {
  const lanes = Math.max(1, ...executions.map((execution) => execution.lanes.length));
  const room = executions.length === 2 ? 150 : 520;
  return Math.max(26, Math.min(88, Math.floor(room / lanes)));
}
