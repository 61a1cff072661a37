import type { WaitingSettings } from '../../kernel/declaration.ts';
import type { Fingerprint } from '../../kernel/uncontrolled/identity.ts';
import type { Event } from '../../trace/event.ts';
import type { Undelivered } from '../../trace/undelivered.ts';
import type { FindAwaited } from './awaited.ts';
import type { AppearanceProgress } from './known-appearances.ts';
import type { Passing } from './passing.ts';
import type { TimeProgress } from './schedule-times.ts';
import type { WaitingReport } from './waiting-report.ts';

/** How a replay waits for events that appear by themselves. */
export interface WaitingOptions extends Pick<WaitingSettings, 'unexpected'> {
  /** An event is awaited for its recorded gap, and this much longer. */
  readonly epsilonMs: number;
  /** The execution that the schedule is a part of: it says what depends on what. */
  readonly recording: readonly Event[];
  /** The events that appeared in that execution and never happened. */
  readonly undelivered: readonly Undelivered[];
  /** What counts of a message: with it, events of a part of the recording are named as they are when that part is executed. */
  readonly fingerprint: Fingerprint;
  /** Whether a process does nothing by itself. */
  readonly isControlled: (process: string) => boolean;
  /** What a recorded wait awaits. */
  readonly awaited: FindAwaited;
  /** Which messages are not compared with the recording; none if undefined. */
  readonly passing?: Passing | undefined;
  /** When the replay is over: nothing has happened for so long after the schedule, or so much time has passed since. */
  readonly end: { readonly quietMs: number } | { readonly afterMs: number };
  /** The replay is over at this time of the session at the latest: a system may never be quiet. */
  readonly untilMs?: number;
  /** How often the replay may still start over; then an external that comes too late happens all the same. */
  readonly restarts: number;
  /** Whether the replay is a control, free to continue as it likes: what a fault dropped may look like the answer to a later external. */
  readonly isControl?: boolean;
  /** Indices of events that are known not to appear: a replay that began before waited for them in vain. */
  readonly absent: ReadonlySet<number>;
  /** If the session proceeds from a checkpoint of a replay of the beginning of the schedule: how far that had come. */
  readonly after?: WaitingProgress | undefined;
  /** If the session has begun already: what has happened in it. */
  readonly begun?: { readonly events: readonly Event[]; readonly nowMs: number };
  /** Receives what the replay has to say about its waiting, when it begins. */
  readonly onBegin?: (report: WaitingReport) => void;
}

/** How far the waiting part of a replay has come. */
export interface WaitingProgress {
  readonly known: AppearanceProgress;
  readonly times: TimeProgress;
  readonly absent: ReadonlySet<number>;
  readonly ahead: ReadonlySet<number>;
  readonly givenUpMs: ReadonlyMap<number, number>;
}
