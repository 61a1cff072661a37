import { existsSync } from 'node:fs';
import { diagnosed } from '../determinism/not-deterministic.ts';
import { record } from '../execution/record.ts';
import { reproduce } from '../replay/replay.ts';
import { shellWord } from '../text/shell-word.ts';
import { readBytes, replaceFile } from '../files/access.ts';
import { shownPath } from '../text/shown-path.ts';
import { encodedTrace, saveTrace } from '../files/trace-file.ts';
import type { Trace } from '../trace/format.ts';
import { BadCommand } from './bad-command.ts';
import type { Track, TrackStep, Typed } from './track.ts';

export interface Saved {
  readonly trace: Trace;
  readonly path: string;
}

/** Records the execution. A trace must replay, so it is executed again and compared. */
export async function save({ origin, events }: Track, given: string, folder: string): Promise<Saved> {
  try {
    const trace = await record(origin, events);
    await reproduce(origin, trace);
    return { trace, path: shownPath(given === '' ? saveTrace(trace, folder, 'step') : writtenTo(given, trace)) };
  } catch (error) {
    throw await diagnosed(error, origin, events);
  }
}

/** Never overwrites another file. */
function writtenTo(path: string, trace: Trace): string {
  const bytes = encodedTrace(trace);
  const next = 'Choose another name, or none: save';
  if (existsSync(path) && !readBytes(path, next).equals(bytes))
    throw new BadCommand(`there is another file at ${path}.`, next);
  replaceFile(path, bytes, next);
  return path;
}

/** The file, and the commands for it. */
export const savedLines = ({ trace: { verdict }, path }: Saved): string[] => [
  `saved     ${path}`,
  `replay    npx culprit replay ${shellWord(path)}`,
  ...(verdict.verdict === 'violated' ? [`smaller   npx culprit minimize ${shellWord(path)}`] : []),
  `resume    npx culprit step ${shellWord(path)}`,
];

/** The number of steps of each completed command. */
export type StepCounts = ReadonlyMap<Typed, number>;

/** The commands that repeat the current execution. */
export function scriptLines(steps: readonly TrackStep[], made: StepCounts, beginning: Typed): string[] {
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
