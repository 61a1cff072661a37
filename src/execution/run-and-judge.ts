import { CulpritError } from '../error.ts';
import { FairTail } from '../schedule/choosers/fair-tail.ts';
import { RoundRobinChooser } from '../schedule/choosers/round-robin.ts';
import { surely } from '../kernel/drive.ts';
import { execution, hung, TimeSlice, type ExecutionOptions, type Outcome, type Steps } from '../kernel/loop.ts';
import type { Oracle, Session, Strategy } from '../kernel/ports.ts';
import { Refused } from '../kernel/errors.ts';
import { Random } from '../kernel/data/random.ts';
import type { Verdict } from '../trace/verdict.ts';

/** An oracle, and the limits under which an execution is judged. */
export interface Judge {
  readonly oracle: Oracle;
  readonly handlerMs: number;
  /** For executions that have to end fairly: the number of fair rounds, and the events that they may take. */
  readonly fair?: { readonly rounds: number; readonly seed: number; readonly eventsMax: number };
  readonly watch?: ExecutionWatch;
}

/** Sees an execution while it is judged. */
interface ExecutionWatch {
  /** Called after every event. */
  observe(session: Session): void;
  ended(outcome: Outcome): void;
  /** Whether to abandon the execution: see `GivenUp`. */
  readonly isOverdue: () => boolean;
}

/** A session, and the strategy that chooses its events. */
export interface Beginning {
  readonly session: Session;
  readonly strategy: Strategy;
}

/** An execution that follows a schedule may have this multiple of its events, and this number more. */
const ROOM = { times: 2, more: 100 };

/**
 * The verdict on an execution that follows a schedule of this length; unknown if it cannot be judged. Undefined if an
 * action attempts something impossible: that is no execution. If the clock ends the execution, it is begun again.
 */
export async function judged<B extends Beginning>(
  begin: (isAgain: boolean) => B,
  judge: Judge,
  scheduled: number,
): Promise<B & { readonly verdict: Verdict | undefined }> {
  let begun: B | undefined;
  const attempt = (isCareful: boolean): Steps<Verdict> => {
    begun = begin(isCareful);
    return judging(begun, judge, scheduled, { isCareful });
  };
  try {
    const verdict = await surely(attempt, judge.handlerMs, judge.watch?.isOverdue);
    return { ...(begun as unknown as B), verdict };
  } catch (error) {
    if (begun === undefined) throw error;
    return { ...begun, verdict: verdictOfError(error, begun.session) };
  }
}

/**
 * The same as a generator, for callers that judge many executions. `verdictOfError` gives the verdict on an error that
 * it throws.
 */
export function* judging(
  { session, strategy }: Beginning,
  { oracle, fair, watch }: Judge,
  scheduled: number,
  { isCareful = false, slice = new TimeSlice() }: Pick<ExecutionOptions, 'isCareful' | 'slice'> = {},
): Steps<Verdict> {
  const eventsMax = ROOM.times * scheduled + ROOM.more;
  const options = fair === undefined ? { strategy, eventsMax } : endingFairly(strategy, eventsMax, fair);
  if (watch === undefined) return (yield* execution(session, { ...options, oracle, isCareful, slice })).verdict;
  const observe = (seen: Session): void => watch.observe(seen);
  const outcome = yield* execution(session, { ...options, oracle, isCareful, slice, observe });
  watch.ended(outcome);
  return outcome.verdict;
}

/** The verdict on an execution that ended with an error. */
export function verdictOfError(error: unknown, session: Session): Verdict | undefined {
  if (error instanceof Refused) return undefined;
  if (error instanceof CulpritError) return { kind: 'unknown', why: error.message };
  return hung(error, session);
}

/** A replay ends with its schedule: whether there is progress shows only in further events. */
function endingFairly(
  strategy: Strategy,
  eventsMax: number,
  fair: NonNullable<Judge['fair']>,
): { readonly strategy: Strategy; readonly eventsMax: number } {
  const head = { next: (session: Session) => strategy.next(session), isDone: false };
  const tail = new RoundRobinChooser(Random.seeded(fair.seed, 0x6661_6972));
  return {
    strategy: new FairTail(head, tail, { events: eventsMax, eventsMax }, fair.rounds),
    eventsMax: eventsMax + fair.eventsMax,
  };
}
