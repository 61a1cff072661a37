import { CulpritError } from '../../error.ts';
import type { Trace } from '../../trace/format.ts';
import type { Why } from '../../trace/why.ts';
import { TIME_IS_UP } from './budget.ts';

/** Longer executions are not explained unasked: only their end could be changed. */
const EVENTS_MAX = 300;

/** Why an execution is violated, in one sentence; undefined if that cannot be found out soon. `explain` finds it out. */
export async function whySentence(
  { events, verdict }: Trace,
  explain: () => Promise<Why>,
): Promise<string | undefined> {
  if (verdict.verdict !== 'violated' || events.length > EVENTS_MAX) return undefined;
  try {
    const { answer, limits } = await explain();
    // A slow machine would give another answer than `culprit explain`, which has more time.
    const isCut = limits.some((limit) => limit.startsWith(TIME_IS_UP));
    return isCut || answer === verdict.message ? undefined : answer;
  } catch (error) {
    // The violation is reported without a why: `culprit explain` says what the problem is.
    if (error instanceof CulpritError) return undefined;
    throw error;
  }
}
