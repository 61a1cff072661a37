import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { minimize } from './minimize.ts';
import type { MinimizeOptions } from './options.ts';
import type { Minimized } from './report.ts';
import { passesFor } from './pass-registry.ts';
import { passesIn } from './pipelines.ts';
import { MinTrace } from './min-trace.ts';
import type { System } from '../system/definition.ts';
import { savedOr, saveOrTell, type SavedTrace } from '../files/trace-file.ts';
import type { Trace } from '../trace/format.ts';

export interface MinimizedSaved extends Omit<Minimized, 'others'>, SavedTrace {
  /** The trace of an earlier minimization that was resumed; undefined if there was none. */
  readonly before: Trace | undefined;
  readonly others: readonly SavedTrace[];
}

/**
 * Minimizes a saved trace into a file beside it. The best trace so far is saved after the first second and then
 * regularly (see `ProgressReporter`), and a later call resumes from it: an interrupt loses very little work.
 */
export async function minimizeSaved(
  system: System,
  { trace, path, directory = dirname(path) }: SavedTrace & { readonly directory?: string },
  {
    onBefore,
    ...options
  }: MinimizeOptions & {
    /** Receives the trace that is resumed, and whether it is known to be minimal already. */
    readonly onBefore?: (before: Trace, isKnown: boolean) => void;
  },
): Promise<MinimizedSaved> {
  const file = new MinTrace(trace, path, directory);
  const earlier = await file.load(system);
  const before = earlier?.trace;
  const isKnown = earlier?.isExact === true && isCertified(earlier.trace, passesIn(options.passes ?? passesFor(trace)));
  if (before !== undefined) onBefore?.(before, isKnown);
  const result =
    before !== undefined && isKnown
      ? alreadyMinimal(before)
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

/** A certificate stays valid if further passes changed nothing. */
function withCertificateOf({ header: { minimized: known }, verdict }: Trace, now: Trace): Trace {
  const { minimized } = now.header;
  if (known?.certificate === undefined || minimized === undefined) return now;
  if (minimized.certificate !== undefined || now.verdict.name !== verdict.name) return now;
  return { ...now, header: { ...now.header, minimized: { ...known, schedules: minimized.schedules } } };
}

/** Whether these passes are certain to find nothing in the trace. */
const isCertified = ({ header: { minimized } }: Trace, passes: readonly string[]): boolean =>
  minimized?.certificate !== undefined && isDeepStrictEqual(minimized.passes, [...passes]);

/** The result for a trace that is minimal already. */
const alreadyMinimal = (trace: Trace): Minimized => ({
  trace,
  stages: [],
  schedules: 0,
  proofStates: 0,
  seconds: 0,
  reproduction: { rate: 1, replays: 1 },
  certificate: trace.header.minimized?.certificate,
  others: [],
});
