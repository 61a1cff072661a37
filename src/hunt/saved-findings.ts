import { CulpritError } from '../error.ts';
import { saveOrTell, type SavedTrace } from '../files/trace-file.ts';
import { HANDLER_RETURNS } from '../kernel/loop.ts';
import type { Reproduction } from '../minimize/flaky.ts';
import { minimizeSaved, type MinimizedSaved } from '../minimize/minimize-saved.ts';
import type { MinimizeOptions } from '../minimize/options.ts';
import type { System } from '../system/definition.ts';
import { shellWord } from '../text/shell-word.ts';
import { LABEL_WIDTH } from '../text/wrap.ts';
import type { Trace } from '../trace/format.ts';
import { hasTimes } from '../trace/recorded-times.ts';

/** A finding on its way through the pipeline: save, minimize, show. */
export interface SavedFinding<F> {
  readonly finding: F;
  readonly saved: SavedTrace;
  /** The result of minimizing it; undefined if that was not tried. */
  readonly minimized?: MinimizedSaved | NotMinimized | undefined;
  /** Whether the signal came before the execution was minimal. */
  readonly isStopped: boolean;
}

/** Why a finding stays as it was found. */
interface NotMinimized {
  readonly why: string;
}

/** Saves all findings. Call it before minimizing the first one: minimizing takes time, and the process may be killed. */
export const saveFindings = <F extends { readonly trace: Trace }>(
  findings: readonly F[],
  directory: string,
): SavedFinding<F>[] =>
  findings.map((finding) => ({ finding, saved: saveOrTell(finding.trace, directory), isStopped: false }));

/** Replays of a system in which events appear by themselves take as long as the execution did, not as long as its code. */
export const WAITING = 12;

/** The time limit for minimizing an execution, from the limit for one that nothing waits in. */
export const limitFor = (trace: Trace, seconds: number): number => (hasTimes(trace) ? WAITING * seconds : seconds);

/** Minimizes a saved finding, unless the signal has come already. */
export async function minimizeFinding<F>(
  system: System,
  one: SavedFinding<F>,
  options: MinimizeOptions,
): Promise<SavedFinding<F>> {
  const isStopped = (): boolean => options.signal?.aborted === true;
  if (isStopped()) return { ...one, isStopped: true };
  const minimized = await minimizedIfPossible(system, one.saved, options);
  const isDone = 'why' in minimized || minimized.certificate !== undefined;
  return { ...one, minimized, isStopped: isStopped() && !isDone };
}

/** A finding that cannot be minimized is reported as it was found. */
async function minimizedIfPossible(
  system: System,
  saved: SavedTrace,
  options: MinimizeOptions,
): Promise<MinimizedSaved | NotMinimized> {
  const { verdict } = saved.trace;
  // Each candidate would run until the time limit of a handler.
  if (verdict.verdict === 'violated' && verdict.oracle === HANDLER_RETURNS)
    return { why: `a handler does not return, so this takes long; run: culprit minimize ${shellWord(saved.path)}` };
  try {
    return await minimizeSaved(system, saved, options);
  } catch (error) {
    if (error instanceof CulpritError) return { why: error.message };
    throw error;
  }
}

/** The execution that a report shows: the minimized one if there is one, otherwise the one that was found. */
export interface ShownTrace extends SavedTrace {
  /** The file with the execution as it was found, if that is another file. */
  readonly found?: string;
  /** Other violations met during minimization. */
  readonly others?: readonly SavedTrace[];
  /** How many replays showed the violation, if minimization replayed it. */
  readonly reproduction?: Reproduction;
  /** Why minimization failed. */
  readonly whyNot?: string;
}

export function shownTrace({ saved, minimized }: SavedFinding<unknown>): ShownTrace {
  if (minimized === undefined) return saved;
  if ('why' in minimized) return { ...saved, whyNot: minimized.why };
  const { trace, path, unsaved, others, reproduction } = minimized;
  const shown = { trace, path, others, reproduction, ...(unsaved === undefined ? {} : { unsaved }) };
  return saved.unsaved === undefined ? { ...shown, found: saved.path } : shown;
}

/** The files of an execution, and the commands for it. */
export function fileLines(shown: ShownTrace, isMinimal = isKnownMinimal(shown.trace.header)): string[] {
  const { path, unsaved, found, others = [] } = shown;
  const also = others.map(otherLine);
  if (unsaved !== undefined)
    return [
      `unsaved   ${unsaved.message}`,
      ...(found === undefined ? [] : [`saved     ${found}, before minimizing`]),
      ...also,
    ];
  return [
    `saved     ${path}`,
    ...(found === undefined ? [] : [`          ${found}, before minimizing`]),
    ...also,
    ...commandLines(path),
    ...(isMinimal ? [] : [`resume    npx culprit minimize ${shellWord(path)}`]),
  ];
}

/** Commands to paste: to see the execution, to learn why it fails, to execute it again. */
export const commandLines = (path: string, commands = ['view', 'explain', 'replay']): string[] =>
  commands.map((command) => `${command.padEnd(LABEL_WIDTH)}npx culprit ${command} ${shellWord(path)}`);

const otherLine = ({ trace, path, unsaved }: SavedTrace): string =>
  `also      ${unsaved === undefined ? path : 'not saved'}, found on the way: ${messageOf(trace)}`;

const isKnownMinimal = ({ minimized }: Trace['header']): boolean =>
  minimized === undefined || minimized.certificate !== undefined;

const messageOf = ({ verdict }: Trace): string =>
  verdict.verdict === 'violated' ? `${verdict.oracle}: ${verdict.message}` : verdict.verdict;
