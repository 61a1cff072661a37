import { ReplayDiverged } from '../schedule/replay/exact-replay.ts';
import { HANDLER_RETURNS } from '../kernel/loop.ts';
import type { Session } from '../kernel/ports.ts';
import { record, type Origin } from '../execution/record.ts';
import { recordWaiting, WaitingReplays } from '../execution/waiting-replay.ts';
import { reproduce, violationIn } from './replay.ts';
import { isSameAgain, isSameBug } from '../execution/same-bug.ts';
import type { Event } from '../trace/event.ts';
import type { Trace } from '../trace/format.ts';
import type { Violated } from '../trace/verdict.ts';

/** Executes a finding again to record it, and once more to check that it repeats. */
export async function reproduced(origin: Origin, session: Session, found?: Violated): Promise<Trace> {
  const events = session.recording.events.since(0).slice(0, found?.events);
  const trace = await record(origin, events, {}, found?.oracle === HANDLER_RETURNS ? found : undefined);
  if (found !== undefined && !endsWith(trace, found)) throw notAgain(trace.events.length, found);
  return await reproduce(origin, trace);
}

/** Whether a trace ends with this violation. */
export const endsWith = ({ verdict }: Trace, found: Violated): boolean =>
  verdict.verdict === 'violated' && isSameAgain(verdict, found);

/** For systems that are not deterministic: records an execution of the same events that ends with the same bug. */
export async function recordUntilRepeated(origin: Origin, session: Session, found: Violated): Promise<Trace> {
  const events = session.recording.events.since(0).slice(0, found.events);
  const trace = await recordAgain(origin, events, found);
  if (trace === undefined) throw notAgain(events.length, found);
  return trace;
}

const notAgain = (event: number, { oracle, message }: Violated): ReplayDiverged =>
  new ReplayDiverged(event, `the violation of ${oracle} (${message}) did not happen again on re-execution.`);

/** Enough for a violation that happens once in a hundred executions. */
const TIMES_MAX = 1_000;

/** Executes the events again until they lead to the same bug, and records that execution; undefined if none does. */
export async function recordAgain(
  origin: Origin,
  events: readonly Event[],
  violation: Violated,
  waits = WaitingReplays.of(origin),
): Promise<Trace | undefined> {
  for (let times = 0; times < TIMES_MAX; times++) {
    const trace = await recordOnce(origin, events, waits);
    const again = trace && violationIn(trace);
    if (again !== undefined && isSameBug(again, violation)) return trace;
  }
  return undefined;
}

async function recordOnce(
  origin: Origin,
  events: readonly Event[],
  waits: WaitingReplays | undefined,
): Promise<Trace | undefined> {
  try {
    return waits === undefined ? await record(origin, events) : (await recordWaiting(waits, origin, events)).result;
  } catch (error) {
    if (error instanceof ReplayDiverged) return undefined;
    throw error;
  }
}
