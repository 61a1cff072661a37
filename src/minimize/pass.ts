import type { Likeness } from '../schedule/replay/match.ts';
import type { Dropped } from '../kernel/recording.ts';
import type { Event, Internal } from '../trace/event.ts';
import type { Trace } from '../trace/format.ts';
import type { Violated } from '../trace/verdict.ts';
import type { Shortcut } from './passes/shortcut-search.ts';
import type { Renaming } from './passes/renaming.ts';
import { withRecoveries } from './passes/recoveries.ts';
import type { Rules } from './rules.ts';
import type { StatePaths } from './state-paths.ts';

/** An execution that ends with the violation. */
export interface Failing {
  readonly events: readonly Event[];
  readonly violation: Violated;
  /**
   * The messages that the environment lost, duplicated or held back, except by an action, and the events that ended
   * holds, by identity; undefined if an event is unknown.
   */
  readonly targets: ReadonlyMap<string, Internal | undefined>;
  /** The messages lost to cuts. */
  readonly lostToCuts: readonly Dropped[];
  /** The states that its processes went through; undefined if states cannot be compared. */
  readonly paths: () => StatePaths | undefined;
  /** Events that could have happened instead, the best first. */
  readonly shortcuts: () => readonly Shortcut[];
  readonly rules: Rules;
  /** Where events appear by themselves: the execution as it happened, if it was written down. */
  readonly trace?: Trace | undefined;
}

/** A schedule to try. */
export interface CandidateSchedule {
  readonly events: readonly Event[];
  readonly likeness: Likeness;
  readonly targets: Failing['targets'];
  /**
   * The policy for an event that cannot happen. `skip`: leave it out. `unblock`: deliver the messages before it on the
   * link. `repair`: also let its sender do what makes it send the message. `stop`: end the execution. The default is
   * `skip` when matching by content, otherwise `repair`.
   */
  readonly absent?: 'skip' | 'unblock' | 'repair' | 'stop';
  /** If false, an event may send, set and request only what it did in the original execution. True by default. */
  readonly mayDiverge?: boolean;
  /**
   * For each ambiguity, the index of the event that happens: 0 is the oldest, 1 the youngest, and so on backwards.
   * Missing entries are 0. Without `choices`, the event itself happens if it can, otherwise the closest.
   */
  readonly choices?: readonly number[];
  /** If processes trade places: their new names. The violation is then about those. */
  readonly renaming?: Renaming;
  /** `pass`: events that the schedule does not have happen, although the system lets a replay hold them back. */
  readonly unexpected?: 'pass';
  /** Whether a few executions have to do where outcomes vary: see `Answer.isTentative`. */
  readonly isQuick?: boolean;
  /** What the pass asks about next: these may be executed ahead. */
  readonly upcoming?: Upcoming;
}

/** The candidates that follow one of them, in their order. */
interface Upcoming {
  readonly candidates: Iterable<CandidateSchedule>;
  /** Whether the pass asks about them in any case, or only if the answers before are no. */
  readonly areCertain: boolean;
}

/** The result of a candidate. */
export interface Answer {
  /** The execution, if it fails in the same way. */
  readonly failing: Failing | undefined;
  /** Whether the verdict is unknown. It counts as not failing, and rules out a certificate. */
  readonly isUnknown: boolean;
  /** Where events appear by themselves: whether every message came as in the schedule. */
  readonly isAsRecorded?: boolean;
  /** Whether the candidate was executed too few times to accept or rule it out. */
  readonly isTentative?: boolean;
  /** The number of matching events at each ambiguity. */
  readonly ambiguities: readonly number[];
  /** Of a verdict that is unknown: why. */
  readonly whyUnknown?: string;
  /** If it was executed several times: how often, and in how many of these executions it failed, or nothing is known. */
  readonly counts?: { readonly replays: number; readonly reproduced: number; readonly unknown: number };
}

/**
 * One way to make a failing execution simpler: a generator that yields a candidate and receives the answer. It knows no
 * engine: its driver decides how candidates are executed, and when to stop.
 */
export type Pass = (failing: Failing) => Asking<Failing>;

export type Asking<T> = Generator<CandidateSchedule, T, Answer>;

/** The candidate after a change, and those that follow it after the same change. */
export function alsoUpcoming(
  candidate: CandidateSchedule,
  changed: (candidate: CandidateSchedule) => CandidateSchedule,
): CandidateSchedule {
  const { upcoming } = candidate;
  if (upcoming === undefined) return changed(candidate);
  const candidates = {
    *[Symbol.iterator](): Generator<CandidateSchedule> {
      for (const one of upcoming.candidates) yield changed(one);
    },
  };
  return { ...changed(candidate), upcoming: { ...upcoming, candidates } };
}

/** The execution without these events, and without recoveries from failures among them. Events that must be kept stay. */
export function candidateWithout(
  { events, targets, rules }: Failing,
  dropped: ReadonlySet<number>,
  likeness: Likeness,
): CandidateSchedule {
  const all = withRecoveries(dropped, events, rules);
  return { events: events.filter((event, at) => !all.has(at) || rules.keeps(event)), likeness, targets };
}

/** Asks whether the execution still fails without these events. */
export function* without(
  failing: Failing,
  dropped: ReadonlySet<number>,
  likeness: Likeness,
): Asking<Failing | undefined> {
  return (yield candidateWithout(failing, dropped, likeness)).failing;
}
