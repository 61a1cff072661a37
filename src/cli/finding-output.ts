import { CulpritError } from '../error.ts';
import type { FileProblem } from '../files/file-problem.ts';
import { loadTrace, tracesIfReadable } from '../files/trace-file.ts';
import {
  limitFor,
  fileLines,
  minimizeFinding,
  saveFindings,
  shownTrace,
  WAITING,
  type SavedFinding,
  type ShownTrace,
} from '../hunt/saved-findings.ts';
import { inputsText } from '../hunt/equal-inputs.ts';
import type { MinimizeOptions } from '../minimize/options.ts';
import type { MinimizeProgress } from '../minimize/report.ts';
import { shellWord } from '../text/shell-word.ts';
import type { System } from '../system/definition.ts';
import type { Trace } from '../trace/format.ts';
import type { LiveView } from './output/live-view.ts';
import { printLines } from './output/lines.ts';
import { printViolation } from './output/print.ts';
import { Progress } from './output/progress.ts';
import { minimizing } from './output/progress-words.ts';
import { reproductionOf, summaryOf } from './output/summary.ts';
import { rateLines } from './output/waiting-lines.ts';
import type { Interruption } from './interruption.ts';
import { whyShortly } from './why.ts';

/** A finding as a command reports it. */
export interface ReportedFinding<F> extends SavedFinding<F> {
  /** The file of another trace of the same bug that was in the folder before. */
  readonly known: string | undefined;
  /** The file of a minimized trace of another violation with the same inputs. */
  readonly sameInputs?: string | undefined;
  /** Why it is violated, in one sentence. */
  readonly why?: string | undefined;
}

interface FindingOptions {
  readonly out: string;
  readonly minimize: boolean;
  readonly minimizeSeconds: number | undefined;
  readonly why: boolean;
  /** The number of threads that execute candidates. */
  readonly workers?: number | 'auto';
  /** The number of executions at a time, of a system whose processes act by themselves. */
  readonly jobs?: number | 'auto';
  /** The page in the browser, with `--view`. */
  readonly live?: LiveView | undefined;
}

/** The default time limit for minimizing one finding. */
const MINIMIZE_SECONDS = 10;

/** The help of `--minimize-seconds`. */
export const MINIMIZE_HELP = `time limit for minimizing each violation (default: ${MINIMIZE_SECONDS}; ${WAITING * MINIMIZE_SECONDS} if events appear by themselves)`;

/** Saves all findings of a command, then minimizes and explains them one after the other. */
export async function saveAndMinimize<F extends { readonly trace: Trace }>(
  system: System,
  findings: readonly F[],
  { out, minimize, minimizeSeconds, why, workers, jobs, live }: FindingOptions,
  interruption: Interruption,
): Promise<ReportedFinding<F>[]> {
  const knownIn = findings.length === 0 ? () => undefined : knownBugs(out);
  const reported: ReportedFinding<F>[] = [];
  for (const one of saveFindings(findings, out)) {
    const { trace, path } = one.saved;
    await live?.showWithPlaces(one.saved, system);
    const seconds = minimizeSeconds ?? limitFor(trace, MINIMIZE_SECONDS);
    const { signal } = interruption;
    const minimized = minimize ? await minimizeVisibly(system, one, { seconds, signal, workers, jobs }, live) : one;
    const known = [knownIn(trace)].find((other) => other !== undefined && stemOf(other) !== stemOf(path));
    reported.push({
      ...minimized,
      known,
      sameInputs: withEqualInputs(minimized, reported),
      why: why ? await whyShortly(system, shownTrace(minimized).trace, interruption) : undefined,
    });
  }
  return reported;
}

/** The file of an earlier finding that was minimized to the same inputs. */
function withEqualInputs(one: SavedFinding<unknown>, earlier: readonly SavedFinding<unknown>[]): string | undefined {
  const inputs = minimizedInputs(one);
  if (inputs === undefined) return undefined;
  const same = earlier.find((other) => minimizedInputs(other) === inputs);
  return same && shownTrace(same).path;
}

const minimizedInputs = ({ minimized }: SavedFinding<unknown>): string | undefined =>
  minimized !== undefined && 'trace' in minimized ? inputsText(minimized.trace) : undefined;

/** The name that a trace and its minimized trace share. */
export const stemOf = (path: string): string => path.replace(/(\.min)?\.trace(\.gz)?$/, '');

/** Minimizes with progress on standard error and on the page. */
async function minimizeVisibly<F>(
  system: System,
  one: SavedFinding<F>,
  limits: Pick<MinimizeOptions, 'seconds' | 'signal' | 'workers' | 'jobs'>,
  live: LiveView | undefined,
): Promise<SavedFinding<F>> {
  const progress = new Progress(process.stderr);
  const onProgress = (state: MinimizeProgress): void => {
    progress.show(minimizing(state), state.seconds * 1000);
    live?.progress(minimizing(state));
  };
  const onBest = (trace: Trace): void => live?.showTrace({ trace, path: one.saved.path });
  try {
    const done = await minimizeFinding(system, one, { ...limits, onProgress, onBest });
    if (done.minimized !== undefined && 'trace' in done.minimized) await live?.showWithPlaces(done.minimized, system);
    return done;
  } finally {
    progress.end();
  }
}

/** The first problem that kept one of these executions from being saved. */
export const firstUnsaved = (findings: readonly SavedFinding<unknown>[]): FileProblem | undefined =>
  findings
    .flatMap(({ saved, minimized }) => [
      saved,
      ...(minimized !== undefined && 'trace' in minimized ? [minimized, ...minimized.others] : []),
    ])
    .find(({ unsaved }) => unsaved !== undefined)?.unsaved;

/** Prints the story, how it was found, and its files. */
export function printFinding(one: ReportedFinding<unknown>, found: string): void {
  const { saved, minimized, isStopped, known, sameInputs, why } = one;
  const shown = shownTrace(one);
  const isNew = minimized !== undefined && 'before' in minimized && minimized.before === undefined;
  // A resumed minimization does not know the seconds of the earlier ones.
  const { whyNot, reproduction } = shown;
  printViolation(shown.trace, { why, whyNot, reproduction, ...(isNew ? { seconds: minimized.seconds } : {}) });
  if (minimized !== undefined && 'waiting' in minimized) printLines(rateLines(minimized));
  const stopped = `stopped   before it was minimal: npx culprit minimize ${shellWord(saved.path)}`;
  const sameBug = known === undefined ? [] : [`known     the same bug as in ${known}`];
  const oneBug = sameInputs === undefined ? [] : [`same      inputs as in ${sameInputs}: probably one bug`];
  printLines(['', `found     ${found}`, ...sameBug, ...oneBug, ...fileLines(shown), ...(isStopped ? [stopped] : [])]);
}

/** The execution that a report shows, and why it is violated. */
export const shownWithWhy = (one: ReportedFinding<unknown>): ShownTrace & { readonly why: string | undefined } => ({
  ...shownTrace(one),
  why: one.why,
});

/** A finding for `--json`; `made` says how it was found. */
export const findingJson = (
  { saved, minimized, isStopped, known, sameInputs, why }: ReportedFinding<unknown>,
  made: object,
): object => ({
  ...summaryOf(saved),
  ...made,
  minimized: minimizedJson(minimized),
  ...(why === undefined ? {} : { why }),
  ...(known === undefined ? {} : { known }),
  ...(sameInputs === undefined ? {} : { sameInputs }),
  ...(isStopped ? { minimizingStopped: true } : {}),
});

function minimizedJson(minimized: SavedFinding<unknown>['minimized']): object | undefined {
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

/** Finds a trace of the same bug in a folder, as the folder is now. The same bug has the same oracle and fingerprint. */
function knownBugs(folder: string): (trace: Trace) => string | undefined {
  const paths = new Map<string, string>();
  // A minimized trace sorts before the trace it was made from.
  for (const path of tracesIfReadable(folder)) {
    const name = bugOf(loadedIfSound(path));
    if (name !== undefined && !paths.has(name)) paths.set(name, path);
  }
  return (trace) => paths.get(bugOf(trace) ?? '');
}

/** Identifies the bug of a trace; undefined without a violation. */
function bugOf(trace: Trace | undefined): string | undefined {
  if (trace?.verdict.verdict !== 'violated') return undefined;
  const { oracle, fingerprint } = trace.verdict;
  return JSON.stringify([trace.header.module, oracle, fingerprint]);
}

/** Undefined if the file is damaged: `culprit replay` reports that. */
function loadedIfSound(path: string): Trace | undefined {
  try {
    return loadTrace(path);
  } catch (error) {
    if (error instanceof CulpritError) return undefined;
    throw error;
  }
}
