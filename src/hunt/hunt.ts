import { existsSync } from 'node:fs';
import { CulpritError } from '../error.ts';
import { FileProblem } from '../files/file-problem.ts';
import { showingPrinting } from '../kernel/user-code/console-capture.ts';
import { modulePath } from '../files/module-path.ts';
import { amount, count, either, field, flag, object, text } from '../kernel/options/fields.ts';
import { optionsOf } from '../kernel/options/options.ts';
import { recheck, type Recheck } from '../replay/recheck.ts';
import { searchWith } from './search.ts';
import { searchFields, type SearchOptions } from './options.ts';
import type { Finding, SearchReport } from './report.ts';
import { SearchEnded } from './search-ended.ts';
import { mustBeSystem } from '../system/must-be.ts';
import { resolveSystem } from '../system/resolve.ts';
import type { Parameters, System } from '../system/definition.ts';
import { isTraceOf, loadTrace, saveOrTell, tracesIn, type SavedTrace } from '../files/trace-file.ts';
import type { Trace } from '../trace/format.ts';
import { explainWhy } from '../explain/why/explain-why.ts';
import { DECIDING } from '../explain/why/continuations.ts';
import { whySentence } from '../explain/why/why-sentence.ts';
import { fileLines, limitFor, minimizeFinding, saveFindings, shownTrace, type SavedFinding } from './saved-findings.ts';
import { ViolationFound } from './violation-found.ts';

/** The options of `hunt`: those of `search`, and what a test needs. */
export interface HuntOptions<D extends Parameters = Parameters> extends SearchOptions<D> {
  /** The directory of saved traces. They are replayed first, and stay as regression tests. */
  readonly directory?: string;
  /** Lets a test pass although the verdict on some executions is unknown. */
  readonly allowUnknown?: boolean;
  /**
   * The budget for minimizing a violation before it is reported: 2 seconds by default, because test runners give a test
   * no more than five.
   */
  readonly minimize?: false | { readonly seconds?: number; readonly schedules?: number };
}

const MINIMIZE_SECONDS = 2;

/** The time limit for finding out why, likewise. */
const WHY_SECONDS = 1;

type HuntLimits = Exclude<NonNullable<HuntOptions['minimize']>, false>;

export const huntOptions = optionsOf<HuntOptions>('hunt', {
  ...searchFields,
  directory: text,
  allowUnknown: flag,
  minimize: either((given) =>
    typeof given === 'object'
      ? object<HuntLimits>('false, or an object with seconds or schedules', { seconds: amount, schedules: count(1) })
      : field('false, or an object with seconds or schedules', (value) => value === false),
  ),
});

/** Nothing was found, but the verdict on some executions is unknown, so a test must not pass. */
export class Undecided extends CulpritError {
  readonly code = 'UNDECIDED';

  constructor({ executions, unknown, whyUnknown = 'no reason was given' }: SearchReport) {
    super(
      `nothing was found, but ${unknown} of ${executions} executions have an unknown verdict: ${whyUnknown}.`,
      'Give the oracle a larger budget or the executions more events (eventsMax), or accept unknown verdicts with `allowUnknown: true`.',
    );
  }
}

/**
 * For tests: throws `ViolationFound` if an execution violates the system. Traces that were saved before are replayed first.
 *
 * @example
 * await hunt(system, { executions: 1_000 });
 */
export async function hunt<S extends System>(
  system: S,
  given: HuntOptions<S['parameters']> = {},
): Promise<SearchReport> {
  mustBeSystem('hunt', system);
  const options = huntOptions.checked(given);
  const call: HuntCall = {};
  Error.captureStackTrace(call, hunt);
  try {
    return await showingPrinting(options.verbose, () => huntOnce(system, options));
  } catch (error) {
    throw error instanceof ViolationFound ? pointingAt(call, error) : error;
  }
}

/** The caller of `hunt`, as `captureStackTrace` records it. */
interface HuntCall {
  stack?: string;
}

/** Makes a test runner show the line of the test, and no line of culprit. */
function pointingAt({ stack = '' }: HuntCall, error: ViolationFound): ViolationFound {
  error.stack = `${error.name}: ${error.message}\n${stack.slice(stack.indexOf('\n') + 1)}`;
  return error;
}

async function huntOnce(system: System, options: HuntOptions): Promise<SearchReport> {
  const directory = options.directory ?? '.culprit';
  const module = options.module ?? (system.file === undefined ? undefined : modulePath(system.file));
  const { parameters } = resolveSystem(system, options.set);
  const save = (trace: Trace): SavedTrace => saveOrTell(trace, directory);
  const isRelevant = (trace: Trace): boolean =>
    trace.header.module === module && isTraceOf(recordedNow(system, trace), module, parameters);
  for (const path of tracesIn(directory)) await mustNotRecur(system, path, isRelevant, save);
  const report = await searchWith(system, { ...options, ...(module === undefined ? {} : { module }) }).catch(
    (error: unknown) => {
      throw error instanceof SearchEnded ? withFiles(error, saveFindings(error.report.findings, directory)) : error;
    },
  );
  const [first] = saveFindings(report.findings, directory);
  if (first !== undefined) throw await violationFound(system, first, options);
  if (report.neverReady !== undefined) throw report.neverReady;
  if (report.unknown > 0 && options.allowUnknown !== true) throw new Undecided(report);
  return report;
}

async function violationFound(
  system: System,
  one: SavedFinding<Finding>,
  options: HuntOptions,
): Promise<ViolationFound> {
  const { minimize: limits = {}, handlerMs, signal, workers, jobs } = options;
  if (limits === false) return new ViolationFound(one.saved, 'now');
  const handlerAndSignal = {
    ...(handlerMs === undefined ? {} : { handlerMs }),
    ...(signal === undefined ? {} : { signal }),
  };
  const minimized = await minimizeFinding(system, one, {
    seconds: limitFor(one.saved.trace, MINIMIZE_SECONDS),
    ...limits,
    ...handlerAndSignal,
    workers,
    jobs,
  });
  const shown = shownTrace(minimized);
  const asked = { seconds: WHY_SECONDS, continuations: DECIDING, ...handlerAndSignal };
  const why = await whySentence(shown.trace, () => explainWhy(system, shown.trace, asked));
  return new ViolationFound({ ...shown, why }, 'now');
}

/** Adds the files of the violations that were found before the search ended. */
const withFiles = (error: SearchEnded, findings: readonly SavedFinding<Finding>[]): SearchEnded =>
  findings.length === 0
    ? error
    : new SearchEnded(error.report, error.seed, error.cause, [
        '',
        'found before that:',
        ...findings.flatMap(({ saved }) => fileLines(saved)),
      ]);

/**
 * A saved trace fails the test at once if its violation still happens: as recorded, or along the same schedule if the
 * system has changed a little. That execution is saved then, and so is any other violation that it leads to.
 */
async function mustNotRecur(
  system: System,
  path: string,
  isRelevant: (trace: Trace) => boolean,
  save: (trace: Trace) => SavedTrace,
): Promise<void> {
  const trace = loadedIfThere(path);
  if (trace === undefined || trace.verdict.verdict !== 'violated' || !isRelevant(trace)) return;
  const now = await rechecked(system, trace);
  if (now === undefined) return;
  if (now.answer === 'reproduced')
    throw new ViolationFound(now.by === 'replay' ? { trace, path } : save(now.trace), 'earlier');
  if (now.answer === 'sampled' && now.reproduced > 0) throw new ViolationFound({ trace, path }, 'earlier');
  const [other] = now.others;
  if (other !== undefined) throw new ViolationFound(save(other), 'now');
}

/** The trace in a file; undefined if the file was removed meanwhile. */
function loadedIfThere(path: string): Trace | undefined {
  try {
    return loadTrace(path);
  } catch (error) {
    if (error instanceof FileProblem && !existsSync(path)) return undefined;
    throw error;
  }
}

/** The trace with the parameters of today's system: a parameter that is new has its default value. */
function recordedNow(system: System, trace: Trace): Trace {
  try {
    const { parameters } = resolveSystem(system, trace.header.parameters);
    return { ...trace, header: { ...trace.header, parameters: { ...parameters } } };
  } catch (error) {
    // The system no longer has one of the parameters, so the execution no longer exists.
    if (error instanceof CulpritError) return trace;
    throw error;
  }
}

/** Undefined if the trace can no longer be executed at all. Its file stays as it is. */
async function rechecked(system: System, trace: Trace): Promise<Recheck | undefined> {
  try {
    return await recheck(system, trace, { neighbors: 0 });
  } catch (error) {
    if (error instanceof CulpritError) return undefined;
    throw error;
  }
}
