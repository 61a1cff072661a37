import type { TrackStep, Typed } from './track.ts';

/** The number of steps of each completed command. */
export type ScriptLine = ReadonlyMap<Typed, number>;

/** The commands that repeat the current execution. */
export function scriptLines(steps: readonly TrackStep[], made: ScriptLine, beginning: Typed): string[] {
  const counts = new Map<Typed, number>();
  for (const { typed } of steps) counts.set(typed, (counts.get(typed) ?? 0) + 1);
  const startsLeftOut = (made.get(beginning) ?? 0) - (counts.get(beginning) ?? 0);
  counts.delete(beginning);
  return [
    ...(startsLeftOut > 0 ? [`undo ${startsLeftOut}`] : []),
    ...[...counts].map(([typed, count]) =>
      made.get(typed) === count ? typed.text : (typed.part?.(count) ?? typed.text),
    ),
  ];
}
