import { CulpritError } from '../error.ts';
import { FairTail } from '../schedule/choosers/fair-tail.ts';
import { RoundRobinChooser } from '../schedule/choosers/round-robin.ts';
import { surely } from '../kernel/drive.ts';
import { execution, hung, type Steps } from '../kernel/loop.ts';
import type { Oracle, Session, Strategy } from '../kernel/ports.ts';
import { Refused } from '../kernel/errors.ts';
import { Random } from '../kernel/data/random.ts';
import type { Verdict } from '../trace/verdict.ts';

/** What an execution is judged by, and how long its handlers may take. */
export interface Judge {
  readonly oracle: Oracle;
  readonly handlerMs: number;
  /** Where executions have to end fairly: for how many rounds, which may take so many events. */
  readonly fair?: { readonly rounds: number; readonly seed: number; readonly eventsMax: number };
}

/** A world to begin with, and who chooses what happens in it. */
export interface Beginning {
  readonly session: Session;
  readonly strategy: Strategy;
}

/** An execution that follows a schedule may have so many times its events, and so many more. */
const ROOM = { times: 2, more: 100 };

/**
 * The verdict on what follows a schedule of so many events. Where it cannot be judged at all, it is unknown. Undefined where
 * an action would do what cannot be done: that is no execution. It is begun again where the clock ends it.
 */
export async function judged<B extends Beginning>(
  begin: (isAgain: boolean) => B,
  judge: Judge,
  scheduled: number,
): Promise<B & { readonly verdict: Verdict | undefined }> {
  let begun: B | undefined;
  const attempt = (isCareful: boolean): Steps<Verdict> => {
    begun = begin(isCareful);
    return judging(begun, judge, scheduled, isCareful);
  };
  try {
    const verdict = await surely(attempt, judge.handlerMs);
    return { ...(begun as unknown as B), verdict };
  } catch (error) {
    if (begun === undefined) throw error;
    return { ...begun, verdict: verdictOfError(error, begun.session) };
  }
}

/** The same in steps, for callers that judge many. What it throws is for `verdictOfError`. */
export function* judging(
  { session, strategy }: Beginning,
  { oracle, fair }: Judge,
  scheduled: number,
  isCareful = false,
): Steps<Verdict> {
  const eventsMax = ROOM.times * scheduled + ROOM.more;
  const options = fair === undefined ? { strategy, eventsMax } : endingFairly(strategy, eventsMax, fair);
  return (yield* execution(session, { ...options, oracle, isCareful })).verdict;
}

/** The verdict on an execution that ended with an error. */
export function verdictOfError(error: unknown, session: Session): Verdict | undefined {
  if (error instanceof Refused) return undefined;
  if (error instanceof CulpritError) return { kind: 'unknown', why: error.message };
  return hung(error, session);
}

/** A replay ends with its schedule: without the events after it, it is unknown whether there is progress. */
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
