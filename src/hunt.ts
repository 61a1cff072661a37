import { CulpritError } from './error.ts';
import { violationLines } from './explain/violation.ts';
import { modulePath } from './module-path.ts';
import { originOf, reproduce } from './replay.ts';
import { search, type Finding, type SearchOptions, type SearchReport } from './search.ts';
import { SearchEnded } from './search-ended.ts';
import { resolveSystem } from './targets/actors/resolve.ts';
import type { System } from './targets/actors/system.ts';
import { isTraceOf, loadTrace, saveTrace, shownPath, tracesIn } from './trace-file.ts';
import type { Trace } from './trace/format.ts';

export interface HuntOptions extends SearchOptions {
  /** Where traces are kept. What is there is replayed first, and stays as a regression test. */
  readonly directory?: string;
  /** Lets a test pass although nobody knows whether all its executions hold. */
  readonly allowUnknown?: boolean;
}

/** Nothing was found, but of some executions nobody knows: a test must not pass for that. */
export class Undecided extends CulpritError {
  readonly code = 'UNDECIDED';

  constructor({ executions, unknown, whyUnknown = 'no reason was given' }: SearchReport) {
    super(
      `nothing was found, but of ${unknown} of ${executions} executions nobody knows whether they hold: ${whyUnknown}.`,
      'Give the oracle or the executions (eventsMax) more room, or let it pass with `allowUnknown: true`.',
    );
  }
}

/** What a test fails with: the story, the file, and the command that shows it again. */
export class ViolationFound extends Error {
  override readonly name = 'ViolationFound';
  // No fields: test runners print the fields of an error, and the story says it better.
  readonly #trace: Trace;
  readonly #path: string;

  /** `found` says whether it is the violation of an earlier hunt that has come again. */
  constructor(trace: Trace, path: string, found: 'now' | 'earlier') {
    const { seed, options } = trace.header;
    const by = `found     ${found === 'earlier' ? 'earlier, ' : ''}by seed ${seed}, ${options.strategy}`;
    super([...violationLines(trace), '', by, ...pointers(path)].join('\n'));
    this.#trace = trace;
    this.#path = path;
  }

  get trace(): Trace {
    return this.#trace;
  }

  /** The file it is kept in. */
  get path(): string {
    return this.#path;
  }
}

/** Where it is kept, and how to see it again. */
export const pointers = (path: string): string[] => [`saved     ${path}`, `again     npx culprit replay ${path}`];

/**
 * For tests: throws `ViolationFound` where the system can be violated. Violations that were found before are tried first,
 * by replaying their traces.
 */
export async function hunt(system: System, options: HuntOptions = {}): Promise<SearchReport> {
  const call: Call = {};
  Error.captureStackTrace(call, hunt);
  try {
    return await huntOnce(system, options);
  } catch (error) {
    throw error instanceof ViolationFound ? pointingAt(call, error) : error;
  }
}

/** Who called us, as `captureStackTrace` writes it down. */
interface Call {
  stack?: string;
}

/** Makes a test runner show the line of the test, and nothing of us. */
function pointingAt({ stack = '' }: Call, error: ViolationFound): ViolationFound {
  error.stack = `${error.name}: ${error.message}\n${stack.slice(stack.indexOf('\n') + 1)}`;
  return error;
}

async function huntOnce(system: System, options: HuntOptions): Promise<SearchReport> {
  const directory = options.directory ?? '.culprit';
  const module = options.module ?? (system.file === undefined ? undefined : modulePath(system.file));
  const { parameters } = resolveSystem(system, options.set);
  for (const path of tracesIn(directory)) {
    await mustNotRecur(system, path, (trace) => isTraceOf(trace, module, parameters));
  }
  const save = ({ trace }: Finding): string => shownPath(saveTrace(trace, directory));
  const report = await search(system, { ...options, ...(module === undefined ? {} : { module }) }).catch(
    (error: unknown) => {
      throw error instanceof SearchEnded ? withKept(error, error.report.findings.map(save)) : error;
    },
  );
  const paths = report.findings.map(save);
  const [first] = report.findings;
  if (first !== undefined) throw new ViolationFound(first.trace, paths[0] as string, 'now');
  if (report.unknown > 0 && options.allowUnknown !== true) throw new Undecided(report);
  return report;
}

/** Says where the violations are kept that were found before it ended. */
const withKept = (error: SearchEnded, paths: readonly string[]): SearchEnded =>
  paths.length === 0
    ? error
    : new SearchEnded(error.report, error.seed, error.cause, ['', 'found before that:', ...paths.flatMap(pointers)]);

/** A trace of this system that still comes out violated fails the test at once. One that no longer fits is left alone. */
async function mustNotRecur(system: System, path: string, isRelevant: (trace: Trace) => boolean): Promise<void> {
  const trace = loadTrace(path);
  if (trace.verdict.verdict !== 'violated' || !isRelevant(trace)) return;
  if (await recurs(system, trace)) throw new ViolationFound(trace, path, 'earlier');
}

async function recurs(system: System, trace: Trace): Promise<boolean> {
  try {
    await reproduce(originOf(system, trace), trace);
    return true;
  } catch (error) {
    if (error instanceof CulpritError) return false;
    throw error;
  }
}
