import { NothingViolated } from '../../execution/nothing-violated.ts';
import { HANDLER_RETURNS } from '../../kernel/loop.ts';
import { showingPrinting } from '../../kernel/user-code/console-capture.ts';
import { originOf, replay, violationIn } from '../../replay/replay.ts';
import { mustBeSystem, mustBeTrace } from '../../system/must-be.ts';
import type { System } from '../../system/definition.ts';
import type { Trace } from '../../trace/format.ts';
import type { Why } from '../../trace/why.ts';
import { Explainer } from './explainer.ts';
import { WhyByReplays } from './why-by-replays.ts';
import { type ExplainWhyOptions, explainWhyOptions } from './options.ts';

/** A trace without a violation. */
export class NothingToExplain extends NothingViolated {
  readonly code = 'NOTHING_TO_EXPLAIN';

  constructor(verdict: string) {
    super(verdict, 'explained');
  }
}

/**
 * Explains a violation. Leaves out each event, moves each event before the events that it could have overtaken,
 * delivers each undelivered message, and samples random continuations from many positions. The same trace and seed give
 * the same answer. If the system is not repeatable, says on which externals the violation may depend: see `WhyByReplays`. If the system has changed or is not deterministic, throws the same error as `replay`.
 *
 * @example
 * const why = await explainWhy(system, trace);
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
  const origin = originOf(system, trace, handler);
  const asked = { ...options, seed, seconds };
  return await showingPrinting(options.verbose, async () => {
    if (!origin.system.guarantees.repeatable) {
      const isOverdue = (): boolean => options.signal?.aborted === true;
      return await new WhyByReplays({ ...origin, isOverdue }, trace, violation, asked).run();
    }
    await replay(system, trace, handler);
    return await new Explainer(origin, trace, violation, asked).run();
  });
}

/** Not explained: with any change, the execution waits for a handler that does not return. */
const unexplained = ({ events, verdict }: Trace, seed: number): Why => ({
  oracle: HANDLER_RETURNS,
  answer: verdict.verdict === 'violated' ? verdict.message : '',
  counterfactuals: [],
  odds: [],
  sampling: { continuations: 0, seed, how: 'none were sampled' },
  noReturn: events.length,
  limits: ['no changes were tried: a handler does not return, so each try takes seconds'],
});
