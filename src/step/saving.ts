import { existsSync } from 'node:fs';
import { diagnosed } from '../determinism/not-deterministic.ts';
import { record, writtenAsItHappened } from '../execution/record.ts';
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

/** Records the execution. A trace must replay, so it is executed again and compared, where that is possible. */
export async function save(track: Track, given: string, folder: string): Promise<Saved> {
  const { origin, events } = track;
  try {
    const trace = track.isControlled ? await recordedAgain(track) : asItHappened(track);
    return { trace, path: shownPath(given === '' ? saveTrace(trace, folder, 'step') : writtenTo(given, trace)) };
  } catch (error) {
    throw await diagnosed(error, origin, events);
  }
}

async function recordedAgain({ origin, events }: Track): Promise<Trace> {
  const trace = await record(origin, events);
  await reproduce(origin, trace);
  return trace;
}

/** Where processes act by themselves, another execution would be another one. */
const asItHappened = ({ origin, session, lines, outcome }: Track): Trace =>
  writtenAsItHappened(origin, session, lines, outcome);

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
export function scriptLines(
  steps: readonly TrackStep[],
  made: StepCounts,
  beginning: Typed,
  waits: ReadonlyMap<Typed, readonly string[]>,
): string[] {
  const counts = new Map<Typed, number>();
  for (const { typed } of steps) counts.set(typed, (counts.get(typed) ?? 0) + 1);
  const startsLeftOut = (made.get(beginning) ?? 0) - (counts.get(beginning) ?? 0);
  counts.delete(beginning);
  return [
    ...(startsLeftOut > 0 ? [`undo ${startsLeftOut}`] : []),
    ...[...counts].flatMap(([typed, count]) => [
      ...(waits.get(typed) ?? []),
      made.get(typed) === count ? typed.text : (typed.part?.(count) ?? typed.text),
    ]),
  ];
}
