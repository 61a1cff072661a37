import type { Event } from '../trace/event.ts';
import { HOLDS, type Verdict, type Violated } from '../trace/verdict.ts';
import { TimedOut, withinMs } from './guard.ts';
import { eventLoopTurned } from './handling.ts';
import type { Oracle, Session, Strategy } from './ports.ts';
import { watchForHangs, type Watch } from './watchdog.ts';

/** Why an execution ended: an oracle did not say holds, nothing was left to do, or the bound on events was met. */
export type Ending = 'verdict' | 'finished' | 'bound';

export interface Outcome {
  readonly verdict: Verdict;
  readonly ending: Ending;
}

export interface ExecutionOptions {
  readonly strategy: Strategy;
  readonly oracle: Oracle;
  readonly eventsMax: number;
  /** Looks at the session after every event, before it is judged. */
  readonly observe?: (session: Session) => void;
}

/** How long a handler may run before it is taken to hang. */
export const HANDLER_MS = 5_000;

/** The clock that ends handlers is started anew so often: what many fast handlers take together must not add up. */
const SLICE_MS = 50;

/** How many events pass between looks at the clock. */
const EVENTS_PER_LOOK = 64;

/**
 * Steps that pause for promises, and now and then for nothing, so that whoever drives them can start the clock anew.
 */
export type Steps<T> = Generator<Promise<void> | undefined, T, void>;

/**
 * The one execution loop: fuzzing, replay, search and minimisation differ only in the strategy. On targets in memory it
 * runs from the first event to the last without waiting for anything.
 */
export function* execution(session: Session, options: ExecutionOptions): Steps<Outcome> {
  const { strategy, eventsMax, observe } = options;
  const oracle = options.oracle.begin?.(session) ?? options.oracle;
  const rest = breather();
  let verdict = oracle.judge(session.world, undefined);
  for (let count = 1; ; count++) {
    if (verdict.kind !== 'holds') return { verdict, ending: 'verdict' };
    if (session.world.length >= eventsMax) return { verdict: atEnd(oracle, session), ending: 'bound' };
    const event = strategy.next(session);
    if (event === undefined) {
      if (session.stuck !== undefined) throw session.stuck;
      return { verdict: atEnd(oracle, session), ending: 'finished' };
    }
    const pending = session.perform(event);
    if (pending !== undefined) yield pending;
    observe?.(session);
    verdict = oracle.judge(session.world, session.world.last);
    if (count % EVENTS_PER_LOOK === 0) yield* rest();
  }
}

const atEnd = (oracle: Oracle, { world, enabled }: Session): Verdict =>
  oracle.end?.(world, enabled.length === 0) ?? HOLDS;

/** Pauses for nothing where a slice of time has passed since the last pause. */
export function breather(): () => Steps<void> {
  let since = performance.now();
  return function* rest() {
    if (performance.now() - since < SLICE_MS) return;
    yield undefined;
    since = performance.now();
  };
}

/**
 * Runs to the end: at once where nothing is asynchronous, as a promise from the first pause on otherwise. Code that
 * does not return is ended with `TimedOut`.
 */
export function drive<T>(steps: Steps<T>, handlerMs = HANDLER_MS): T | Promise<T> {
  for (;;) {
    const step = withinMs(SLICE_MS + handlerMs, () => steps.next());
    if (step.done === true) return step.value;
    if (step.value !== undefined) return driveOn(steps, step.value, handlerMs);
  }
}

/** The same, for long runs: at every pause the event loop has a turn, so that signals and timers are heard. */
export async function driveInTurns<T>(steps: Steps<T>, handlerMs = HANDLER_MS): Promise<T> {
  for (;;) {
    const step = withinMs(SLICE_MS + handlerMs, () => steps.next());
    if (step.done === true) return step.value;
    if (step.value !== undefined) return await driveOn(steps, step.value, handlerMs);
    await eventLoopTurned();
  }
}

/** What is ended in the middle never settles: then the watch does. */
function driveOn<T>(steps: Steps<T>, first: Promise<void>, handlerMs: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const watch = watchForHangs(handlerMs, (error) => {
      watch.end();
      reject(error);
    });
    goOn(steps, first, watch)
      .finally(() => watch.end())
      .then(resolve, reject);
  });
}

async function goOn<T>(steps: Steps<T>, first: Promise<void>, watch: Watch): Promise<T> {
  for (let pause: Promise<void> | undefined = first; ;) {
    await (pause ?? eventLoopTurned());
    watch.beat();
    const step = steps.next();
    if (step.done === true) return step.value;
    pause = step.value;
  }
}

/** What is violated by a handler that does not return. */
export const HANDLER_RETURNS = 'handlerReturns';

/** The verdict on a handler that does not return: it is a bug like any other, and found by its event. */
export function hung(error: unknown, session: Session): Violated {
  const last: Event | undefined = session.world.last;
  if (!(error instanceof TimedOut) || last === undefined) throw error;
  const message = `${last.process} did not return from event ${session.world.length} (${last.kind})`;
  return {
    kind: 'violated',
    oracle: HANDLER_RETURNS,
    message,
    processes: [last.process],
    fingerprint: `${HANDLER_RETURNS} ${last.process} ${last.kind}`,
  };
}
