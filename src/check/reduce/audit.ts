import type { External, Internal } from '../../trace/event.ts';
import type { Reduction, Session } from '../../kernel/ports.ts';
import { areSame, bothOrders } from './both-orders.ts';

/** A claim of independence that is wrong: the two orders, and what comes of each. */
export interface Refuted {
  readonly rule: string;
  readonly one: Internal | External;
  readonly other: Internal | External;
  readonly outcomes: readonly [Session, Session];
}

/** Counts claims, and keeps the first that is wrong of each rule. */
export class Audit {
  claims = 0;
  audited = 0;
  readonly refuted: Refuted[] = [];

  /** Looks at one claim in so many; 1 for all of them. */
  constructor(private readonly every: number) {}

  /** The same reduction, without the claims that are found to be wrong. */
  over(reduction: Reduction): Reduction {
    if (reduction.independent === undefined) return reduction;
    return {
      ...reduction,
      independent: (session, one, other) =>
        reduction.independent?.(session, one, other) === true && !this.isRefuted(reduction.name, session, one, other),
    };
  }

  private isRefuted(rule: string, session: Session, one: Internal | External, other: Internal | External): boolean {
    this.claims += 1;
    if (this.claims % this.every !== 0) return false;
    const outcomes = bothOrders(session, one, other);
    if (outcomes === undefined) return false;
    this.audited += 1;
    if (areSame(outcomes)) return false;
    if (!this.refuted.some((known) => known.rule === rule)) this.refuted.push({ rule, one, other, outcomes });
    return true;
  }
}
