import type { WhyAttempt } from './attempts.ts';
import { ReplayStrategy } from '../../schedule/replay/exact-replay.ts';
import { judged } from '../../execution/run-and-judge.ts';
import { record, type Origin } from '../../execution/record.ts';
import { oracleOf } from '../../oracles/oracle-of-system.ts';
import { reproduce } from '../../replay/replay.ts';
import { targetOf } from '../../hosts/target.ts';
import type { Event } from '../../trace/event.ts';
import type { Trace } from '../../trace/format.ts';

/** An execution that passes, and the change that leads to it. */
export interface Passing {
  readonly attempt: WhyAttempt;
  readonly trace: Trace;
}

/**
 * Another oracle of the system may have an unknown verdict on an execution. Then the next nearest is tried, up to this
 * many.
 */
const ASKED_MAX = 8;

/**
 * The order among equally near executions: the race that matters, other changes of order, added events, events left
 * out.
 */
const kinds: readonly WhyAttempt['change'][] = ['earlier', 'added', 'without'];

/**
 * The passing execution with the smallest change: the fewest events that move, are added or no longer happen. An
 * execution that only delays the violation, such as one without the last event, does not count. The result is recorded
 * and replayed.
 */
export async function passingTrace(
  origin: Origin,
  attempts: readonly WhyAttempt[],
  race: WhyAttempt | undefined,
): Promise<Passing | undefined> {
  const passing = attempts
    .filter(({ outcome, isDelayed }) => outcome === 'holds' && !isDelayed)
    .sort(
      (one, other) =>
        one.distance - other.distance ||
        Number(other === race) - Number(one === race) ||
        kinds.indexOf(one.change) - kinds.indexOf(other.change) ||
        other.event - one.event,
    );
  for (const attempt of passing.slice(0, ASKED_MAX)) {
    const trace = await written(origin, attempt.tried?.events ?? []);
    if (trace.verdict.verdict === 'holds') return { attempt, trace };
  }
  return undefined;
}

async function written(origin: Origin, events: readonly Event[]): Promise<Trace> {
  const trace = await record(origin, events);
  const fair = trace.verdict.verdict === 'unknown' ? await endedFairly(origin, events) : undefined;
  return await reproduce(origin, fair === undefined ? trace : await record(origin, fair));
}

/** Progress can only be judged after fair rounds. */
async function endedFairly(origin: Origin, events: readonly Event[]): Promise<readonly Event[] | undefined> {
  const { system, seed, eventsMax, handlerMs } = origin;
  const oracle = oracleOf(system);
  if (oracle.fairRounds === undefined) return undefined;
  const begin = () => ({ session: targetOf(system).open(seed), strategy: new ReplayStrategy(events) });
  const fair = { rounds: oracle.fairRounds, seed, eventsMax };
  const { session } = await judged(begin, { oracle, handlerMs, fair }, events.length);
  await session.close();
  return session.recording.events.since(0);
}
