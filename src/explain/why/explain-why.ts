import { NothingViolated } from '../../execution/nothing-violated.ts';
import { HANDLER_RETURNS } from '../../kernel/loop.ts';
import { showingPrinting } from '../../kernel/user-code/console-capture.ts';
import { amount, callback, count } from '../../kernel/options/fields.ts';
import { handlerFields, optionsOf } from '../../kernel/options/options.ts';
import { originOf, replay, violationIn } from '../../replay/replay.ts';
import { mustBeSystem, mustBeTrace } from '../../system/must-be.ts';
import type { System } from '../../system/define-system.ts';
import type { Trace } from '../../trace/format.ts';
import type { Why } from '../../trace/why.ts';
import { Inquiry } from './inquiry.ts';

export interface ExplainWhyOptions {
  /** How many schedules may be tried with something changed; some thousands if not said, fewer where they are long. */
  readonly schedules?: number;
  /** How many continuations are sampled from each place: 20 to 100 if not said, by how long the execution is. */
  readonly continuations?: number;
  /** By which continuations are chosen; 0 if not said. */
  readonly seed?: number;
  /** How many seconds it may take. Where they run out, the answer depends on the machine, and says so. */
  readonly seconds?: number;
  readonly handlerMs?: number;
  /** Shows what the system prints, on standard error as it happens. Without it, what a handler prints is in the trace alone. */
  readonly verbose?: boolean;
  /** Told now and then how it is getting on. */
  readonly onProgress?: (progress: ExplainWhyProgress) => void;
}

export interface ExplainWhyProgress {
  /** What is being done: events are changed, or continuations sampled. */
  readonly stage: 'changes' | 'odds';
  /** Schedules and continuations executed so far. */
  readonly executions: number;
}

/** A trace without a violation. */
export class NothingToExplain extends NothingViolated {
  readonly code = 'NOTHING_TO_EXPLAIN';

  constructor(verdict: string) {
    super(verdict, 'explained');
  }
}

export const explainWhyOptions = optionsOf<ExplainWhyOptions>('explainWhy', {
  schedules: count(1),
  continuations: count(1),
  seed: count(0),
  seconds: amount,
  ...handlerFields,
  onProgress: callback,
});

/**
 * Why an execution violates what it violates. Each event is left out, and moved before those that it could have overtaken; each
 * message that never arrived arrives; and from the places along the way the execution goes on by chance. The same trace and
 * seed give the same answer. A system that has changed, or is not deterministic, gets the error that `replay` gives.
 */
export async function explainWhy(system: System, trace: Trace, given: ExplainWhyOptions = {}): Promise<Why> {
  mustBeSystem('explainWhy', system);
  mustBeTrace('explainWhy', trace);
  const options = explainWhyOptions.checked(given);
  const { seed = 0, seconds = Number.POSITIVE_INFINITY } = options;
  const violation = violationIn(trace);
  if (violation === undefined) throw new NothingToExplain(trace.verdict.verdict);
  const handler = options.handlerMs === undefined ? {} : { handlerMs: options.handlerMs };
  if (violation.oracle === HANDLER_RETURNS) return unexplained(trace, seed);
  return await showingPrinting(options.verbose, async () => {
    await replay(system, trace, handler);
    return await new Inquiry(originOf(system, trace, handler), trace, violation, { ...options, seed, seconds }).run();
  });
}

/** Whoever executes it again, with whatever change, waits for a handler that does not return. */
const unexplained = ({ events, verdict }: Trace, seed: number): Why => ({
  oracle: HANDLER_RETURNS,
  answer: verdict.verdict === 'violated' ? verdict.message : '',
  counterfactuals: [],
  odds: [],
  sampling: { continuations: 0, seed, how: 'none were sampled' },
  noReturn: events.length,
  limits: ['nothing was tried: a handler that does not return takes seconds each time'],
});
