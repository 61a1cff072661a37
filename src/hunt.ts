import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CulpritError } from './error.ts';
import { violationLines } from './explain/violation.ts';
import { modulePath } from './module-path.ts';
import { replay } from './replay.ts';
import { search, type SearchOptions, type SearchReport } from './search.ts';
import { resolveSystem } from './targets/actors/resolve.ts';
import type { System } from './targets/actors/system.ts';
import { loadTrace, saveTrace, shownPath } from './trace-file.ts';
import type { Trace } from './trace/format.ts';

export interface HuntOptions extends SearchOptions {
  /** Where traces are kept. What is there is replayed first, and stays as a regression test. */
  readonly directory?: string;
}

/** What a test fails with: the story, the file, and the command that shows it again. */
export class ViolationFound extends Error {
  override readonly name = 'ViolationFound';

  constructor(
    readonly trace: Trace,
    /** The file it is kept in. */
    readonly path: string,
  ) {
    super(
      [
        ...violationLines(trace),
        '',
        `found     by seed ${trace.header.seed}, ${trace.header.options.strategy}`,
        ...pointers(path),
      ].join('\n'),
    );
  }
}

/** Where it is kept, and how to see it again. */
export const pointers = (path: string): string[] => [`saved     ${path}`, `again     npx culprit replay ${path}`];

/**
 * For tests: throws `ViolationFound` where the system can be violated. Violations that were found before are tried first,
 * by replaying their traces.
 */
export async function hunt(system: System, options: HuntOptions = {}): Promise<SearchReport> {
  const directory = options.directory ?? '.culprit';
  const module = options.module ?? (system.file === undefined ? undefined : modulePath(system.file));
  const { parameters } = resolveSystem(system, options.set);
  const isOfThisSystem = ({ header }: Trace): boolean =>
    module !== undefined && header.module === module && isDeepStrictEqual(header.parameters, parameters);
  for (const path of tracesIn(directory)) await mustNotRecur(system, path, isOfThisSystem);
  const report = await search(system, { ...options, ...(module === undefined ? {} : { module }) });
  const saved = report.findings.map(({ trace }) => ({ trace, path: shownPath(saveTrace(trace, directory)) }));
  const [first] = saved;
  if (first !== undefined) throw new ViolationFound(first.trace, first.path);
  return report;
}

const tracesIn = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory)
        .filter((name) => /\.trace(\.gz)?$/.test(name))
        .sort()
        .map((name) => shownPath(join(directory, name)))
    : [];

/** A trace of this system that still comes out violated fails the test at once. One that no longer fits is left alone. */
async function mustNotRecur(system: System, path: string, isRelevant: (trace: Trace) => boolean): Promise<void> {
  const trace = loadTrace(path);
  if (trace.verdict.verdict !== 'violated' || !isRelevant(trace)) return;
  if (await recurs(system, trace)) throw new ViolationFound(trace, path);
}

async function recurs(system: System, trace: Trace): Promise<boolean> {
  try {
    await replay(system, trace);
    return true;
  } catch (error) {
    if (error instanceof CulpritError) return false;
    throw error;
  }
}
