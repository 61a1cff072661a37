import { HOLDS, type Unknown, type Verdict, type Violated } from '../trace/verdict.ts';
import { askedInVain } from './user-code/asking.ts';
import { TimedOut } from './user-code/time-limit.ts';
import { Pause, type Oracle, type Session, type Strategy } from './ports.ts';
import { SystemHangs, TooMuchData } from './errors.ts';
import { latestEvent } from './user-code/async-code.ts';

/** Why an execution ended: an oracle did not say holds, nothing was left to do, or the bound on events was met. */
export type Ending = 'verdict' | 'finished' | 'bound';

/** How an execution ended. */
export interface Outcome {
  /** The judgment on the whole execution, not only on its last event. */
  readonly verdict: Verdict;
  /** Why it ended where it did. */
  readonly ending: Ending;
}

/** How an execution is driven and judged. */
export interface ExecutionOptions {
  /** Picks the events. */
  readonly strategy: Strategy;
  /** Asked after every event; the execution ends when it does not say *holds*. */
  readonly oracle: Oracle;
  /** The execution ends after so many events. */
  readonly eventsMax: number;
  /** Looks at the session after every event, before it is judged. */
  readonly observe?: ((session: Session) => void) | undefined;
  /** Whether it pauses after every event, so that each has a clock of its own: see `surely`. */
  readonly isCareful?: boolean;
  /** The slice of time that it shares with the executions before. */
  readonly slice?: TimeSlice;
  /** Called between two events: lets somebody else drive the session for a while. */
  readonly handOver?: HandOver | undefined;
}

/** An execution between two events. */
export interface PausedExecution {
  readonly session: Session;
  /** The oracle of this execution, which may have memory. */
  readonly oracle: Oracle;
  /** To be called after every event, before it is judged. */
  readonly observe: ((session: Session) => void) | undefined;
}

/**
 * Asked between two events, and again at least every `HAND_OVER_MS` while the session waits. A promise means that the user performs events of
 * the session until it resolves, with the verdict on the last of them; then the strategy continues.
 */
export type HandOver = (paused: PausedExecution) => Promise<Verdict> | undefined;

/** How long a session waits at most before it is asked again whether it is handed over. */
const HAND_OVER_MS = 100;

/** The clock that ends handlers is restarted so often, so that the times of many fast handlers do not add up. */
export const SLICE_MS = 50;

/** How many events pass between looks at the clock. */
const EVENTS_PER_LOOK = 64;

/** A pause in which no handler runs that could hang: a session waits, or a process that does things by itself reacts. */
export class Rest {
  constructor(
    readonly promise: Promise<void>,
    /** Whether it can be abandoned: the session waits, and nothing is under way that has to end first. */
    readonly mayBeAbandoned = false,
  ) {}
}

/**
 * Steps that pause for promises, and now and then for nothing, so that their driver can restart the clock.
 */
export type Steps<T> = Generator<Promise<void> | Rest | undefined, T, void>;

/**
 * The one execution loop: fuzzing, replay, search and minimization differ only in the strategy. On targets in memory it
 * runs from the first event to the last without waiting for anything.
 */
export function* execution(session: Session, options: ExecutionOptions): Steps<Outcome> {
  const { strategy, eventsMax, observe, isCareful, handOver, slice = new TimeSlice() } = options;
  const oracle = begunOracle(session, options.oracle);
  let verdict = oracle.judge(session.world, undefined);
  for (;;) {
    if (verdict.kind !== 'holds') return { verdict, ending: 'verdict' };
    const handedOver = handOver?.({ session, oracle, observe });
    if (handedOver !== undefined) {
      verdict = yield* verdictOf(handedOver);
      continue;
    }
    if (session.world.length >= eventsMax) return { verdict: atEnd(oracle, session), ending: 'bound' };
    const event = nextOf(strategy, oracle, session);
    if (event === undefined) return finished(oracle, session);
    if (event instanceof Pause) {
      yield new Rest(waited(session, event, handOver), true);
      verdict = oracle.judge(session.world, session.world.last);
      continue;
    }
    const pending = session.perform(event);
    if (pending !== undefined) yield session.mustReturn(event) ? pending : new Rest(pending);
    observe?.(session);
    verdict = oracle.judge(session.world, session.world.last);
    if (slice.isOverAfterEvent() || isCareful === true) yield undefined;
  }
}

/** The oracle of this execution, which may have memory. */
const begunOracle = (session: Session, oracle: Oracle): Oracle => oracle.begin?.(session) ?? oracle;

/** Waits until an execution is handed back. */
function* verdictOf(handedOver: Promise<Verdict>): Steps<Verdict> {
  let verdict: Verdict = HOLDS;
  yield new Rest(handedOver.then((last) => void (verdict = last)));
  return verdict;
}

/**
 * What the strategy picks. If nothing is left to do but the background of the system, that happens while an oracle waits whether something
 * that is wrong now lasts.
 */
function nextOf(strategy: Strategy, oracle: Oracle, session: Session): ReturnType<Strategy['next']> {
  const next = strategy.next(session);
  if (next !== undefined || oracle.undecidedUntilMs === undefined) return next;
  const { wait, enabled, nowMs } = session;
  const isIdle = wait !== undefined && enabled.every((event) => session.isBackground(event));
  const untilMs = isIdle ? oracle.undecidedUntilMs() : undefined;
  if (untilMs === undefined || untilMs <= nowMs) return undefined;
  return enabled[0] ?? new Pause({ ms: untilMs - nowMs });
}

/** So many pauses in a row in which no time passes: more than any strategy needs. */
const IDLE_MAX = 1_000;

/** How many pauses in a row let no time pass, by session. */
const idlePauses = new WeakMap<Session, number>();

async function waited(session: Session, { until }: Pause, handOver: HandOver | undefined): Promise<void> {
  if (session.wait === undefined) throw new Error('a strategy waits in a session in which nothing happens by itself');
  const beganMs = session.nowMs;
  await session.wait(handOver === undefined ? until : { ...until, ms: Math.min(until.ms, HAND_OVER_MS) });
  const idle = session.nowMs === beganMs ? (idlePauses.get(session) ?? 0) + 1 : 0;
  idlePauses.set(session, idle);
  if (idle > IDLE_MAX) throw new Error('a strategy waits again and again although no time passes');
}

function finished(oracle: Oracle, session: Session): Outcome {
  if (session.stuck !== undefined) throw session.stuck;
  return { verdict: atEnd(oracle, session), ending: 'finished' };
}

/** If events appear by themselves, it is unknown whether any is left. */
const atEnd = (oracle: Oracle, { world, enabled, guarantees }: Session): Verdict =>
  oracle.end?.(world, guarantees.controlled && enabled.length === 0) ?? HOLDS;

/**
 * The time since the last pause. Its owner pauses when it is over. No generator of its own: each execution would make one of another
 * shape, and V8 would discard the compiled loop.
 */
export class TimeSlice {
  private since = performance.now();
  private events = 0;

  /** Whether the slice is over; then the next one begins. */
  isOver(): boolean {
    const now = performance.now();
    if (now - this.since < SLICE_MS) return false;
    this.since = now;
    return true;
  }

  /** The same after one more event: reading the clock takes longer than many events do. */
  isOverAfterEvent(): boolean {
    this.events += 1;
    return this.events % EVENTS_PER_LOOK === 0 && this.isOver();
  }
}

/** The oracle that a handler violates if it does not return. */
export const HANDLER_RETURNS = 'handlerReturns';

/**
 * The verdict on a handler that did not return: a bug like any other, found by its event, where it had the CPU time that a
 * handler may have. A handler that had less may have waited for a CPU: the verdict is unknown.
 */
export function hung(error: unknown, { world }: Pick<Session, 'world'>): Violated | Unknown {
  const { last, length } = world;
  if (!(error instanceof TimedOut)) throw error;
  if (last === undefined || askedInVain() !== undefined) return hungOutside(error, length);
  const event = `event ${length} (${last.kind})`;
  if (!error.isProven) return { kind: 'unknown', why: `${last.process} was ended in ${event} ${endedAfter(error)}` };
  return {
    kind: 'violated',
    oracle: HANDLER_RETURNS,
    message: `${last.process} did not return from ${event}`,
    processes: [last.process],
    fingerprint: `${HANDLER_RETURNS} ${last.process} ${last.kind}`,
  };
}

/** The same of a function that is no handler, such as an invariant: nothing can be said of the system then. */
export function hungOutside(error: TimedOut, length: number): Unknown {
  const event = latestEvent();
  if (error.isProven && askedInVain() === undefined && event !== undefined)
    throw new TooMuchData(event, error.spent.boundMs);
  const asked = askedInVain() ?? 'something that is no handler';
  const who = length === 0 ? asked : `${asked}, asked after event ${length},`;
  if (error.isProven) throw new SystemHangs(who, error.spent.boundMs);
  return { kind: 'unknown', why: `${who} was ended ${endedAfter(error)}` };
}

/** How long code ran that was ended without proof that it hangs. */
export function endedAfter({ spent }: TimedOut): string {
  const [wall, bound] = [`${Math.round(spent.wallMs)} ms`, `${spent.boundMs} ms`];
  return spent.cpuMs === undefined
    ? `after ${wall}, and how much CPU time it had is not known`
    : `after ${wall}, in which it had only ${Math.round(spent.cpuMs)} ms of CPU time, of the ${bound} that it may have`;
}
