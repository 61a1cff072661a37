import type { WaitingReport } from '../schedule/replay/waiting-report.ts';
import { isInternal, type Event } from '../trace/event.ts';
import type { Trace } from '../trace/format.ts';

/** How a replay compares with its recording in one round, in numbers of internal events. */
export interface RoundComparison {
  /** From 1: the first begins with the recording. */
  readonly round: number;
  /** Events of the recording that happened, and that did not appear. */
  readonly matched: number;
  readonly absent: number;
  /** Events that the recording does not have. */
  readonly unexpected: number;
}

type Kind = keyof Omit<RoundComparison, 'round'>;

/** Compares a replay with the recorded events round by round. Events of the recording count at their recorded time, new ones at their own. */
export function comparedByRound(
  recorded: readonly Event[],
  { events }: Trace,
  { appeared, absent, unexpected }: Pick<WaitingReport, 'appeared' | 'absent' | 'unexpected'>,
  roundMs: number,
): RoundComparison[] {
  const rounds = new Map<number, RoundComparison>();
  const count = (atMs: number | undefined, beganMs: number | undefined, kind: Kind): void => {
    const round = Math.floor(Math.max(0, (atMs ?? 0) - (beganMs ?? 0)) / roundMs) + 1;
    const known = rounds.get(round) ?? { round, matched: 0, absent: 0, unexpected: 0 };
    rounds.set(round, { ...known, [kind]: known[kind] + 1 });
  };
  const countRecorded = (at: number, kind: Kind): void => {
    const event = recorded[at];
    if (event !== undefined && isInternal(event)) count(event.atMs, recorded[0]?.atMs, kind);
  };
  for (const at of appeared) countRecorded(at, 'matched');
  for (const at of absent) countRecorded(at, 'absent');
  for (const at of unexpected) count(events[at]?.atMs, events[0]?.atMs, 'unexpected');
  return [...rounds.values()].toSorted((one, other) => one.round - other.round);
}
