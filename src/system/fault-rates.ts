import type { Faults } from '../kernel/declaration.ts';
import { withoutUndefined } from '../kernel/options/fields.ts';
import type { Deliver } from '../trace/event.ts';

/** The faults that can happen to a message when its turn comes. */
export type MessageFault = 'losses' | 'holds';

/** How likely the fault is for this message, from 0 to 1. */
export type MessageRate = (message: Deliver) => number;

/** The rates as users give them. */
export type GivenFaultRates = { readonly [K in MessageFault]?: MessageRate };

/** Each rate with the number of such faults that an execution may have. */
export type FaultRates = { readonly [K in MessageFault]?: { readonly rate: MessageRate; readonly most: number } };

/** Where there is a rate and no budget, the rate alone says how many there are. */
export const budgetsWith = (rates: GivenFaultRates = {}): Partial<Faults> =>
  Object.fromEntries(given(rates).map(([fault]) => [fault, Infinity]));

/** Undefined without any rate. */
export function faultRatesOf(rates: GivenFaultRates = {}, budgets: Faults): FaultRates | undefined {
  const all = given(rates).map(([fault, rate]) => [fault, { rate, most: budgets[fault] }]);
  return all.length === 0 ? undefined : (Object.fromEntries(all) as FaultRates);
}

const given = (rates: GivenFaultRates): [MessageFault, MessageRate][] =>
  Object.entries(withoutUndefined(rates)) as [MessageFault, MessageRate][];
