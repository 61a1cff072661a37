import { either, list, notNegative, object, count, field, text, type Field } from '../../kernel/options/fields.ts';
import type { Session } from '../../kernel/ports.ts';
import { Rounds } from '../../kernel/rounds.ts';

/** How long something has to be wrong before it counts. */
export interface PersistOptions {
  /**
   * Rounds, or milliseconds of the session's clock. 0, the default: at once. `untilIdle`: as long as controllers have something to
   * do, which includes timers of these names.
   */
  readonly persist?: Persist;
}

/** Fair rounds, or milliseconds of the session's clock. Where processes act by themselves, a round is 100 ms. */
export type Duration = number | { readonly ms: number };

/** How long a problem must last until it counts. */
export type Persist = Duration | UntilIdle;

/** Until controllers have nothing to do. */
export type UntilIdle = 'untilIdle' | { readonly untilIdle: { readonly timers: readonly string[] } };

const DURATION = 'a number of rounds, or { ms: 300 }';

export const durationField: Field = either((given) =>
  typeof given === 'object' ? object<Extract<Duration, object>>(DURATION, { ms: notNegative }, ['ms']) : count(0),
);

const UNTIL_IDLE = "'untilIdle', or { untilIdle: { timers: ['recompute'] } }";

export const persistField: Field = either((given) => {
  if (typeof given === 'string') return field(`${DURATION}, or ${UNTIL_IDLE}`, (value) => value === 'untilIdle');
  if (typeof given !== 'object' || given === null || !('untilIdle' in given)) return durationField;
  const timers = object<{ timers: readonly string[] }>(UNTIL_IDLE, { timers: list('names of timers', text) }, [
    'timers',
  ]);
  return object<Extract<UntilIdle, object>>(UNTIL_IDLE, { untilIdle: timers }, ['untilIdle']);
});

export const isAtOnce = (persist: Persist): boolean =>
  typeof persist === 'object' ? 'ms' in persist && persist.ms === 0 : persist === 0;

/** The timers that are work; undefined if the duration is another one. */
export function workTimersIn(persist: Persist): readonly string[] | undefined {
  if (persist === 'untilIdle') return [];
  return typeof persist === 'object' && 'untilIdle' in persist ? persist.untilIdle.timers : undefined;
}

/** Since when each thing has been wrong without a break. */
export class Persistence {
  private readonly rounds: Rounds | undefined;
  private since = new Map<string, number>();
  /** How many rounds, or milliseconds. */
  private readonly length: number;
  /** What begins within this time of the first is decided together with it: 0 where the order of events is not a matter of chance. */
  private readonly togetherMs: number;

  constructor(
    private readonly session: Session,
    duration: Duration,
  ) {
    // Where events appear by themselves, rounds have a length: nothing need happen in them.
    const perRound = session.roundMs ?? 1;
    this.length = typeof duration === 'number' ? duration * perRound : duration.ms;
    const areRounds = typeof duration === 'number' && duration > 0 && session.roundMs === undefined;
    this.rounds = areRounds ? new Rounds(session) : undefined;
    this.togetherMs = session.roundMs ?? 0;
  }

  /**
   * After each event: the first of these that has been there long enough. Where processes act by themselves, one failure makes several
   * things wrong, one shortly after the other, in an order of chance: of those, the one whose fingerprint comes first.
   */
  firstToLast<T extends { readonly fingerprint: string }>(present: readonly T[]): T | undefined {
    this.rounds?.advance(this.session);
    const now = this.now;
    const since = new Map(present.map(({ fingerprint }) => [fingerprint, this.since.get(fingerprint) ?? now]));
    this.since = since;
    const begun = this.lastOfFirst;
    if (begun === undefined || now - begun < this.length) return undefined;
    const lasted = present.filter(({ fingerprint }) => now - (since.get(fingerprint) ?? now) >= this.length);
    return this.togetherMs === 0 ? lasted[0] : lasted.reduce(firstNamed);
  }

  /** When the first of them will have been there long enough, in milliseconds; undefined if nothing is wrong. */
  get undecidedUntilMs(): number | undefined {
    const begun = this.lastOfFirst;
    return begun === undefined || this.rounds !== undefined ? undefined : begun + this.length;
  }

  /** Since when all of those are wrong that are decided first. */
  private get lastOfFirst(): number | undefined {
    if (this.since.size === 0) return undefined;
    const all = [...this.since.values()];
    const first = Math.min(...all);
    return Math.max(...all.filter((begun) => begun - first <= this.togetherMs));
  }

  private get now(): number {
    return this.rounds?.count ?? this.session.nowMs;
  }
}

const firstNamed = <T extends { readonly fingerprint: string }>(one: T, other: T): T =>
  other.fingerprint < one.fingerprint ? other : one;
