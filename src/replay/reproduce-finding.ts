import { ReplayDiverged } from '../schedule/replay/exact-replay.ts';
import { HANDLER_RETURNS } from '../kernel/loop.ts';
import type { Session } from '../kernel/ports.ts';
import { recordAgain } from './record-again.ts';
import { record, type Origin } from '../execution/record.ts';
import { reproduce } from './replay.ts';
import { isSameAgain } from '../execution/same-bug.ts';
import type { Trace } from '../trace/format.ts';
import type { Violated } from '../trace/verdict.ts';

/** Executes it again to write it down, and once more to see that it always comes out the same. */
export async function reproduced(origin: Origin, session: Session, found?: Violated): Promise<Trace> {
  const events = session.recording.events.since(0).slice(0, found?.events);
  const trace = await record(origin, events, {}, found?.oracle === HANDLER_RETURNS ? found : undefined);
  if (found !== undefined && !endsWith(trace, found)) throw notAgain(trace.events.length, found);
  return await reproduce(origin, trace);
}

/** Whether the trace of the same events ends with what was found. */
export const endsWith = ({ verdict }: Trace, found: Violated): boolean =>
  verdict.verdict === 'violated' && isSameAgain(verdict, found);

/** Where nothing need come out the same: an execution of the same events that ends with the same bug. */
export async function comeAgain(origin: Origin, session: Session, found: Violated): Promise<Trace> {
  const events = session.recording.events.since(0).slice(0, found.events);
  const trace = await recordAgain(origin, events, found);
  if (trace === undefined) throw notAgain(events.length, found);
  return trace;
}

const notAgain = (event: number, { oracle, message }: Violated): ReplayDiverged =>
  new ReplayDiverged(event, `the violation of ${oracle} (${message}) did not happen again on re-execution.`);
