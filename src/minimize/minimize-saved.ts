import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CulpritError } from '../error.ts';
import { HANDLER_RETURNS } from '../kernel/loop.ts';
import { minimize } from './minimize.ts';
import type { MinimizeOptions } from './options.ts';
import type { Minimized } from './report.ts';
import { defaultPasses } from './pass-registry.ts';
import { passesIn } from './pipelines.ts';
import { MinTrace } from './min-trace.ts';
import { shellWord } from '../text/shell-word.ts';
import type { System } from '../system/definition.ts';
import { savedOr, saveOrTell, type SavedTrace } from '../files/trace-file.ts';
import type { Trace } from '../trace/format.ts';

export interface MinimizedSaved extends Omit<Minimized, 'others'>, SavedTrace {
  /** What it went on from: a file of an earlier minimization, or nothing. */
  readonly before: Trace | undefined;
  readonly others: readonly SavedTrace[];
}

/**
 * Minimizes a saved trace into a file beside it. The best so far gets there after the first second, and then now and then
 * (see `ProgressReporter`); what is there goes on: neither an interrupt nor the end of the process loses more than a moment's work.
 */
export async function minimizeSaved(
  system: System,
  { trace, path, directory = dirname(path) }: SavedTrace & { readonly directory?: string },
  {
    onBefore,
    ...options
  }: MinimizeOptions & {
    /** Told what it goes on from, and whether nothing is left to try there. */
    readonly onBefore?: (before: Trace, isKnown: boolean) => void;
  },
): Promise<MinimizedSaved> {
  const file = new MinTrace(trace, path, directory);
  const earlier = await file.load(system);
  const before = earlier?.trace;
  const isKnown = earlier?.isExact === true && isCertified(earlier.trace, passesIn(options.passes ?? defaultPasses));
  if (before !== undefined) onBefore?.(before, isKnown);
  const result =
    before !== undefined && isKnown
      ? known(before)
      : await minimize(system, before ?? trace, { ...options, onBest: (best) => keepBest(best, file, options) });
  const others = result.others.map((other) => saveOrTell(other, directory));
  const best = before === undefined ? result.trace : withCertificateOf(before, result.trace);
  const { certificate } = best.header.minimized ?? {};
  return { ...result, ...savedOr(best, () => file.save(best)), certificate, before, others };
}

/** Saves first, because minimizing may take a while. A file that cannot be written is reported at the end. */
function keepBest(best: Trace, file: MinTrace, { onBest }: MinimizeOptions): void {
  savedOr(best, () => file.save(best));
  onBest?.(best);
}

/** What was certain of these events stays so, whatever else was tried and found nothing. */
function withCertificateOf({ header: { minimized: known }, verdict }: Trace, now: Trace): Trace {
  const { minimized } = now.header;
  if (known?.certificate === undefined || minimized === undefined) return now;
  if (minimized.certificate !== undefined || now.verdict.name !== verdict.name) return now;
  return { ...now, header: { ...now.header, minimized: { ...known, schedules: minimized.schedules } } };
}

/** Whether it is certain that these passes find nothing in it. */
const isCertified = ({ header: { minimized } }: Trace, passes: readonly string[]): boolean =>
  minimized?.certificate !== undefined && isDeepStrictEqual(minimized.passes, [...passes]);

/** What is as recorded, and need not be tried. */
const known = (trace: Trace): Minimized => ({
  trace,
  stages: [],
  schedules: 0,
  proofStates: 0,
  seconds: 0,
  reproduction: { rate: 1, replays: 1 },
  certificate: trace.header.minimized?.certificate,
  others: [],
});

/** Why a finding is left as it was found. */
export interface NotMinimized {
  readonly why: string;
}

/** For hunts: what was found is not lost because it cannot be made smaller. */
export async function tryToMinimize(
  system: System,
  saved: SavedTrace,
  options: MinimizeOptions,
): Promise<MinimizedSaved | NotMinimized> {
  const { verdict } = saved.trace;
  // Each try would take as long as a handler may.
  if (verdict.verdict === 'violated' && verdict.oracle === HANDLER_RETURNS)
    return { why: `a handler does not return, so this takes long; run: culprit minimize ${shellWord(saved.path)}` };
  try {
    return await minimizeSaved(system, saved, options);
  } catch (error) {
    if (error instanceof CulpritError) return { why: error.message };
    throw error;
  }
}
