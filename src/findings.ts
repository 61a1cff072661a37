import { ReplayDiverged } from './explore/replay.ts';
import type { Session } from './kernel/ports.ts';
import { record, type Origin } from './record.ts';
import { reproduce } from './replay.ts';
import type { Finding } from './search.ts';
import type { Trace } from './trace/format.ts';
import type { Violated } from './trace/verdict.ts';

/** What a search has found: one violation of each fingerprint, in the order of their seeds. */
export class Findings {
  readonly list: Finding[] = [];
  readonly fingerprints = new Set<string>();

  async keep(violated: Violated, origin: Origin, session: Session, executions: number): Promise<void> {
    const trace = await reproduced(origin, session, violated);
    this.fingerprints.add(violated.fingerprint);
    this.list.push({ trace, strategy: origin.strategy, executions });
  }
}

/** Executes it again to write it down, and once more to see that it always comes out the same. */
export async function reproduced(origin: Origin, session: Session, found?: Violated): Promise<Trace> {
  const trace = await record(origin, session.recording.events.since(0).slice(0, found?.events));
  const { verdict } = trace;
  if (found !== undefined && (verdict.verdict !== 'violated' || verdict.fingerprint !== found.fingerprint))
    throw new ReplayDiverged(
      trace.events.length,
      `${found.oracle} was violated (${found.message}), and executed again it was not.`,
    );
  return reproduce(origin, trace);
}
