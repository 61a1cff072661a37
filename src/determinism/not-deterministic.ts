import type { Again } from './attempt.ts';
import { awaited, diagnose, leakText, remedyOf, REORDERED, stateOutside, type Leak } from './diagnose.ts';
import { CulpritError } from '../error.ts';
import { ReplayDiverged } from '../schedule/replay/exact-replay.ts';
import { OutsideEvent, RealWait, Stuck } from '../kernel/errors.ts';
import { record, type Origin } from '../execution/record.ts';
import { shellWord } from '../text/shell-word.ts';
import type { Event } from '../trace/event.ts';

/** The same events had different effects, or a source that culprit does not control influenced them. */
export class NotDeterministic extends CulpritError {
  readonly code = 'NOT_DETERMINISTIC';

  constructor(
    problem: string,
    /** The likely sources. */
    readonly leaks: readonly Leak[],
    next: string,
    options?: ErrorOptions,
  ) {
    super(`${problem} Likely leak: ${leaks.map(leakText).join('; ')}.`, next, options);
  }
}

/**
 * The error to throw instead of one that shows nondeterminism: it names the source, as far as watched executions of the
 * events reveal it. Any other error is returned.
 */
export async function diagnosed(error: unknown, origin: Origin, schedule: readonly Event[]): Promise<unknown> {
  if (error instanceof ReplayDiverged) return await diagnosedDivergence(error, origin, schedule, [stateOutside]);
  if (!(error instanceof Stuck || error instanceof OutsideEvent || error instanceof RealWait)) return error;
  const leak = await awaited(origin.system, againOf(origin, schedule));
  return leak === undefined
    ? error
    : new NotDeterministic(error.message, [leak], nextOf([leak], origin), { cause: error });
}

/** The same for a trace from a file: without a source, the system has changed. */
export async function diagnosedReplay(error: unknown, origin: Origin, schedule: readonly Event[]): Promise<unknown> {
  return error instanceof ReplayDiverged ? await diagnosedDivergence(error, origin, schedule, []) : error;
}

async function diagnosedDivergence(
  error: ReplayDiverged,
  origin: Origin,
  schedule: readonly Event[],
  otherwise: readonly Leak[],
): Promise<CulpritError> {
  const { difference, leaks } = await diagnose(origin.system, againOf(origin, schedule));
  const likely = leaks.length === 0 ? otherwise : leaks;
  if (likely.length === 0) return new ReplayDiverged(error.event, error.what, CHANGED);
  // The cause of an impossible event may have happened before it.
  const first = difference !== undefined && difference.event < error.event ? difference : error;
  const order = difference?.reordered === true ? REORDERED : '';
  const problem = `event ${first.event}: ${first.what}${order}`;
  return new NotDeterministic(problem, likely, nextOf(likely, origin), { cause: error });
}

const CHANGED =
  'Re-execution gives the same result every time, so the system has probably changed. Hunt again, or delete the trace.';

const againOf =
  (origin: Origin, schedule: readonly Event[]): Again =>
  (system, listener) =>
    record({ ...origin, system }, schedule, listener);

const nextOf = ([first = stateOutside]: readonly Leak[], { module }: Origin): string =>
  `${remedyOf(first)} To diagnose it, run: culprit doctor ${shellWord(module ?? 'path/to/system.ts')}`;
