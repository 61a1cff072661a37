import type { Likeness } from '../schedule/replay/match.ts';
import type { Dropped } from '../kernel/recording.ts';
import type { Deliver, Event } from '../trace/event.ts';
import type { Violated } from '../trace/verdict.ts';
import type { Detour } from './passes/shortcut-search.ts';
import type { Renaming } from './passes/renaming.ts';
import type { Rules } from './rules.ts';
import type { StatePaths } from './state-paths.ts';

/** An execution that ends with the violation. */
export interface Failing {
  readonly events: readonly Event[];
  readonly violation: Violated;
  /** The messages that the environment lost or duplicated by itself, by identity; undefined where they are not known. */
  readonly targets: ReadonlyMap<string, Deliver | undefined>;
  /** The messages that cuts took. */
  readonly cutOff: readonly Dropped[];
  /** The states that its processes went through, where they can be looked at. */
  readonly paths: () => StatePaths | undefined;
  /** Other ways it could have taken, the best first. */
  readonly detours: () => readonly Detour[];
  readonly rules: Rules;
}

/** A schedule to try. */
export interface Candidate {
  readonly events: readonly Event[];
  readonly likeness: Likeness;
  readonly targets: Failing['targets'];
  /**
   * How an event that cannot happen is treated: it is passed over; or what stands before its message on the link is
   * delivered; or its sender may do what makes it send, besides; or the execution ends there. Without it: `repair`, where not
   * just the same content counts.
   */
  readonly absent?: 'skip' | 'unblock' | 'repair' | 'stop';
  /** False where an event may send, set and request only what it did in the execution that is minimized. True if not said. */
  readonly mayDiverge?: boolean;
  /**
   * Which of several events happens, each time there is a choice; the oldest where nothing is said, then the youngest and
   * so on backwards. Without choices, the event itself happens where it can, and otherwise the closest.
   */
  readonly choices?: readonly number[];
  /** Where processes trade places: their new names. The violation is then about those. */
  readonly renaming?: Renaming;
}

/** The result of a candidate. */
export interface Answer {
  /** The execution, where it fails in the same way. */
  readonly failing: Failing | undefined;
  /** Whether it is unknown if it fails. It counts as not failing, and nothing can be certified then. */
  readonly isUnknown: boolean;
  /** Among how many events there was a choice, each time there was one. */
  readonly ambiguities: readonly number[];
}

/**
 * One way to make a failing execution simpler. It asks by yielding a candidate, and is answered with the result. It
 * knows no engine: its driver decides how a candidate is executed, and when to stop.
 */
export type Pass = (failing: Failing) => Asking<Failing>;

export type Asking<T> = Generator<Candidate, T, Answer>;

/** Asks whether what is left without these events still fails. Those that must be kept stay. */
export function* without(
  { events, targets, rules }: Failing,
  dropped: ReadonlySet<number>,
  likeness: Likeness,
): Asking<Failing | undefined> {
  const kept = events.filter((event, at) => !dropped.has(at) || rules.keeps(event));
  const { failing } = yield { events: kept, likeness, targets };
  return failing;
}
