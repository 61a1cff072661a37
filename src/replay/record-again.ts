import { ReplayDiverged } from '../schedule/replay/exact-replay.ts';
import { isSameBug } from '../execution/same-bug.ts';
import { record, type Origin } from '../execution/record.ts';
import { violationIn } from './replay.ts';
import type { Event } from '../trace/event.ts';
import type { Trace } from '../trace/format.ts';
import type { Violated } from '../trace/verdict.ts';

/** More often than this nobody waits for it: enough for what comes once in a hundred times. */
const TIMES_MAX = 1_000;

/**
 * For systems that are not deterministic: executes the events again until they lead to the violation once more, and writes
 * that execution down. Undefined where they do not.
 */
export async function recordAgain(
  origin: Origin,
  events: readonly Event[],
  violation: Violated,
): Promise<Trace | undefined> {
  for (let times = 0; times < TIMES_MAX; times++) {
    const trace = await recordOnce(origin, events);
    const again = trace && violationIn(trace);
    if (again !== undefined && isSameBug(again, violation)) return trace;
  }
  return undefined;
}

async function recordOnce(origin: Origin, events: readonly Event[]): Promise<Trace | undefined> {
  try {
    return await record(origin, events);
  } catch (error) {
    if (error instanceof ReplayDiverged) return undefined;
    throw error;
  }
}
