import type { Faults } from '../kernel/declaration.ts';
import type { Complete, Deliver } from '../trace/event.ts';

/** The faults that can happen to a message when its turn comes. */
export type MessageFault = 'losses' | 'holds';

/** How likely the fault is for this message, from 0 to 1. */
export type MessageRate = (message: Deliver) => number;

/** How likely the end of this write waits for a round, from 0 to 1. */
export type WriteRate = (write: Complete) => number;

/** The rates as users give them. */
export interface GivenFaultRates {
  readonly losses?: MessageRate;
  readonly holds?: MessageRate;
  readonly writes?: WriteRate;
}

/** Each rate with the number of such faults that an execution may have. */
export interface FaultRates {
  readonly losses?: Bounded<MessageRate>;
  readonly holds?: Bounded<MessageRate>;
  /** A late write is no fault, but an order of events, so there is no budget. */
  readonly writes?: WriteRate;
}

interface Bounded<T> {
  readonly rate: T;
  readonly most: number;
}

/** Where there is a rate and no budget, the rate alone says how many there are. */
export const budgetsWith = ({ losses, holds }: GivenFaultRates = {}): Partial<Faults> => ({
  ...(losses === undefined ? {} : { losses: Infinity }),
  ...(holds === undefined ? {} : { holds: Infinity }),
});

/** Undefined without any rate. */
export function faultRatesOf({ losses, holds, writes }: GivenFaultRates = {}, budgets: Faults): FaultRates | undefined {
  if (losses === undefined && holds === undefined && writes === undefined) return undefined;
  return {
    ...(losses === undefined ? {} : { losses: { rate: losses, most: budgets.losses } }),
    ...(holds === undefined ? {} : { holds: { rate: holds, most: budgets.holds } }),
    ...(writes === undefined ? {} : { writes }),
  };
}
