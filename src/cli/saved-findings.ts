import type { FileProblem } from '../files/file-problem.ts';
import { tryToMinimize, type MinimizedSaved, type NotMinimized } from '../minimize/minimize-saved.ts';
import type { MinimizeProgress } from '../minimize/report.ts';
import type { System } from '../system/definition.ts';
import { saveOrTell, type SavedTrace, loadTrace, tracesIfReadable } from '../files/trace-file.ts';
import type { Trace } from '../trace/format.ts';
import { pointers, shownOf } from '../hunt/violation-found.ts';
import type { LiveView } from './output/live-view.ts';
import { printLines, printViolation } from './output/print.ts';
import { minimizingLine, Progress } from './output/progress.ts';
import { reproductionOf, summaryOf } from './output/summary.ts';
import { CulpritError } from '../error.ts';

/** A finding, the file it is in, and the result of minimizing it, where that was tried. */
export interface Kept<F> {
  readonly finding: F;
  readonly saved: SavedTrace;
  readonly minimized: MinimizedSaved | NotMinimized | undefined;
  /** Whether the command was stopped before it was minimized, or while it was. */
  readonly isStopped: boolean;
  /** Another trace of the same bug that was there before. */
  readonly known: string | undefined;
}

/** What is done with a finding. */
interface FindingKeeping {
  readonly out: string;
  readonly minimize: boolean;
  readonly minimizeSeconds: number;
  /** Where somebody watches. */
  readonly live?: LiveView | undefined;
}

/** Everything is saved before anything is minimized: that takes time, in which much can happen. */
export async function keep<F extends { readonly trace: Trace }>(
  system: System,
  findings: readonly F[],
  { out, minimize, minimizeSeconds, live }: FindingKeeping,
  signal: AbortSignal,
): Promise<Kept<F>[]> {
  const knownIn = findings.length === 0 ? () => undefined : knownBugs(out);
  const saved = findings.map(({ trace }) => saveOrTell(trace, out));
  const kept: Kept<F>[] = [];
  for (const [at, finding] of findings.entries()) {
    const one = saved[at] as SavedTrace;
    live?.shrunk(one);
    const isWanted = minimize && !signal.aborted;
    const minimized = isWanted
      ? await minimizedNow(system, one, { seconds: minimizeSeconds, signal }, live)
      : undefined;
    if (minimized !== undefined && 'trace' in minimized) live?.shrunk(minimized);
    const isMinimal = minimized !== undefined && ('why' in minimized || minimized.certificate !== undefined);
    const isStopped = minimize && signal.aborted && !isMinimal;
    const known = [knownIn(one.trace)].find((path) => path !== undefined && stemOf(path) !== stemOf(one.path));
    kept.push({ finding, saved: one, minimized, isStopped, known });
  }
  return kept;
}

/** A trace and what was made of it have one name. */
export const stemOf = (path: string): string => path.replace(/(\.min)?\.trace(\.gz)?$/, '');

function minimizedNow(
  system: System,
  saved: SavedTrace,
  limits: { readonly seconds: number; readonly signal: AbortSignal },
  live: LiveView | undefined,
): Promise<MinimizedSaved | NotMinimized> {
  const progress = new Progress(process.stderr);
  const onProgress = (state: MinimizeProgress): void => {
    progress.show(minimizingLine(state), state.seconds * 1000);
    live?.progress(minimizingLine(state));
  };
  const onBest = (trace: Trace): void => live?.shrunk({ trace, path: saved.path });
  return tryToMinimize(system, saved, { ...limits, onProgress, onBest }).finally(() => progress.end());
}

/** Why an execution that is printed is in no file: the one that was found, or the minimized one. */
export const unsavedIn = (kept: readonly Kept<unknown>[]): FileProblem | undefined =>
  kept
    .flatMap(({ saved, minimized }) => [
      saved,
      ...(minimized !== undefined && 'trace' in minimized ? [minimized, ...minimized.others] : []),
    ])
    .find(({ unsaved }) => unsaved !== undefined)?.unsaved;

/** The story, how it was found, and where it is. */
export function printKept({ saved, minimized, isStopped, known }: Kept<unknown>, found: string): void {
  const shown = shownOf(saved, minimized);
  const isNew = minimized !== undefined && 'before' in minimized && minimized.before === undefined;
  // What it took before is not known to the second.
  const { whyNot, reproduction } = shown;
  printViolation(shown.trace, { whyNot, reproduction, ...(isNew ? { seconds: minimized.seconds } : {}) });
  const stopped = `stopped   before it was minimal: culprit minimize ${saved.path}`;
  const sameBug = known === undefined ? [] : [`known     the same bug as in ${known}`];
  printLines(['', `found     ${found}`, ...sameBug, ...pointers(shown), ...(isStopped ? [stopped] : [])]);
}

/** The same for machines; `made` says how it was found. */
export const keptForMachines = ({ saved, minimized, isStopped, known }: Kept<unknown>, made: object): object => ({
  ...summaryOf(saved),
  ...made,
  minimized: minimizedForMachines(minimized),
  ...(known === undefined ? {} : { known }),
  ...(isStopped ? { minimizingStopped: true } : {}),
});

function minimizedForMachines(minimized: Kept<unknown>['minimized']): object | undefined {
  if (minimized === undefined || 'why' in minimized) return minimized;
  const { trace, path, unsaved, schedules, seconds, certificate = null, others } = minimized;
  const known = { certificate, ...reproductionOf(minimized) };
  return {
    ...summaryOf({ trace, path, ...(unsaved === undefined ? {} : { unsaved }) }),
    schedules,
    seconds,
    ...known,
    others: others.map(summaryOf),
  };
}

/** Which trace of a folder has the same bug, by oracle and fingerprint, for a trace that is not in it yet. */
function knownBugs(folder: string): (trace: Trace) => string | undefined {
  const paths = new Map<string, string>();
  // A minimized trace comes before what it was made from.
  for (const path of tracesIfReadable(folder)) {
    const name = bugIn(readable(path));
    if (name !== undefined && !paths.has(name)) paths.set(name, path);
  }
  return (trace) => paths.get(bugIn(trace) ?? '');
}

/** What a bug is called, whatever its execution: undefined where there is none. */
function bugIn(trace: Trace | undefined): string | undefined {
  if (trace?.verdict.verdict !== 'violated') return undefined;
  const { oracle, fingerprint } = trace.verdict;
  return JSON.stringify([trace.header.module, oracle, fingerprint]);
}

/** Undefined where it is damaged: a replay of it says so. */
function readable(path: string): Trace | undefined {
  try {
    return loadTrace(path);
  } catch (error) {
    if (error instanceof CulpritError) return undefined;
    throw error;
  }
}
