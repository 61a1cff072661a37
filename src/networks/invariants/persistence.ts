import { either, notNegative, object, count, type Field } from '../../kernel/options/fields.ts';
import type { Session } from '../../kernel/ports.ts';
import { Rounds } from '../../kernel/rounds.ts';

/** How long something has to be wrong before it counts. */
export interface PersistOptions {
  /** Fair rounds, or milliseconds of the session's clock. 0, the default: at once. */
  readonly persist?: Duration;
}

/** Fair rounds, or milliseconds of the session's clock. */
export type Duration = number | { readonly ms: number };

export const durationField: Field = either((given) =>
  typeof given === 'object'
    ? object<{ readonly ms: number }>('a number of rounds, or { ms: 300 }', { ms: notNegative }, ['ms'])
    : count(0),
);

export const isAtOnce = (duration: Duration): boolean =>
  typeof duration === 'number' ? duration === 0 : duration.ms === 0;

/** Since when each thing has been wrong without a break. */
export class Persistence {
  private readonly rounds: Rounds | undefined;
  private since = new Map<string, number>();

  constructor(
    private readonly session: Session,
    private readonly duration: Duration,
  ) {
    this.rounds = typeof duration === 'number' && duration > 0 ? new Rounds(session) : undefined;
  }

  /** After each event: the first of these that has been there long enough. */
  firstToLast<T extends { readonly fingerprint: string }>(present: readonly T[]): T | undefined {
    this.rounds?.advance(this.session);
    const now = this.now;
    const since = new Map(present.map(({ fingerprint }) => [fingerprint, this.since.get(fingerprint) ?? now]));
    this.since = since;
    return present.find(({ fingerprint }) => now - (since.get(fingerprint) ?? now) >= this.length);
  }

  private get now(): number {
    return this.rounds?.count ?? this.session.nowMs;
  }

  private get length(): number {
    return typeof this.duration === 'number' ? this.duration : this.duration.ms;
  }
}
