import type { Faults } from '../kernel/declaration.ts';
import type { GivenFaultRates } from './fault-rates.ts';

/** What happens to a message when its turn to arrive comes: the `do` of a trigger before it. */
export type ArrivalFault = { readonly kind: 'lose' } | { readonly kind: 'delay'; readonly ms: number };

/**
 * Loses the message that a trigger is about.
 *
 * @example
 * defineSystem({
 *   processes: { lock, client },
 *   triggers: [{ before: (event) => event.kind === 'deliver' && event.process === 'client', do: lose() }],
 * });
 */
export const lose = (): ArrivalFault => ({ kind: 'lose' });

/**
 * Keeps the message that a trigger is about back for so long, on the clock of the session; messages behind it on a lane that keeps the
 * order wait, too.
 *
 * @example
 * defineSystem({
 *   processes: { lock, client },
 *   triggers: [{ before: (event) => event.kind === 'deliver' && event.process === 'client', do: delay(300) }],
 * });
 */
export const delay = (ms: number): ArrivalFault => ({ kind: 'delay', ms });

export function isArrivalFault(given: unknown): given is ArrivalFault {
  const { kind, ms, target } = (given ?? {}) as { kind?: unknown; ms?: unknown; target?: unknown };
  if (target !== undefined) return false;
  return kind === 'lose' || (kind === 'delay' && typeof ms === 'number' && ms >= 0);
}

const never = (): number => 0;

/** The rates of a system, and those that let its triggers lose and delay messages where no budget does: a hunt adds no such faults of its own. */
export function ratesBeside(
  triggers: readonly { readonly do: unknown }[],
  rates: GivenFaultRates = {},
  budgets: Partial<Faults> = {},
): GivenFaultRates {
  const has = (kind: ArrivalFault['kind']): boolean =>
    triggers.some(({ do: fault }) => isArrivalFault(fault) && fault.kind === kind);
  return {
    ...(has('lose') && budgets.losses === undefined ? { losses: never } : {}),
    ...(has('delay') && budgets.holds === undefined ? { holds: never } : {}),
    ...rates,
  };
}
