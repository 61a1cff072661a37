import type { Session } from '../kernel/ports.ts';
import type { RoundDriver } from '../schedule/round-driver.ts';
import { eventOf } from '../trace/codec.ts';
import { isConsequence, isInternal, type Event } from '../trace/event.ts';
import type { EventLine } from '../trace/format.ts';

/** How far one execution has come. */
export interface ExecutionProgress {
  /** Where processes act by themselves: the round of the workload that is under way, and the number of rounds. */
  readonly round?: number;
  readonly rounds?: number;
  /** What the environment has done, without the starts of processes. */
  readonly inputs: number;
  /** The messages that were delivered. */
  readonly messages: number;
  /** How long it has taken, on the clock of its session; undefined if that has none. */
  readonly elapsedMs?: number;
}

/** Of an execution in this thread. `driver`: its strategy, where processes act by themselves. */
export function progressOfSession(
  { recording, nowMs, guarantees }: Session,
  driver: RoundDriver | undefined,
): ExecutionProgress {
  const rounds = driver === undefined || driver.rounds === 0 ? {} : { round: driver.round, rounds: driver.rounds };
  return { ...rounds, ...counted(recording.events.since(0)), ...(guarantees.controlled ? {} : { elapsedMs: nowMs }) };
}

/** Of an execution that was recorded, perhaps in another thread. */
export const progressOfLines = (lines: readonly EventLine[]): ExecutionProgress => ({
  ...counted(lines.map(eventOf)),
  elapsedMs: lines.at(-1)?.atMs ?? 0,
});

/** An action and what it makes the environment do are one input. */
const counted = (events: readonly Event[]): Pick<ExecutionProgress, 'inputs' | 'messages'> => ({
  inputs: events.filter((event) => !isInternal(event) && event.kind !== 'start' && !isConsequence(event, events))
    .length,
  messages: events.filter(({ kind }) => kind === 'deliver').length,
});
