import type { Violated } from '../trace/verdict.ts';

/*
 * When two violations are the same bug depends on how they were come by. Executed again, the same events must give the same
 * fingerprint. Made smaller, a violation may lose processes. With one event changed, it may be about other processes altogether.
 */

/** Whether the same events, executed again, violate the same. */
export const isSameAgain = (one: Pick<Violated, 'fingerprint'>, other: Pick<Violated, 'fingerprint'>): boolean =>
  one.fingerprint === other.fingerprint;

/**
 * Whether two violations count as the same bug while one is made smaller. Those that name processes by default need only
 * share one: fewer events often leave fewer processes. A fingerprint of the user's own must be equal.
 */
export function isSameBug(one: Violated, other: Violated): boolean {
  if (one.fingerprint === other.fingerprint) return true;
  if (one.oracle !== other.oracle || !isDefault(one) || !isDefault(other)) return false;
  return one.processes.some((process) => other.processes.includes(process));
}

export const isDefault = (violation: Violated): boolean => violation.fingerprint === defaultFingerprint(violation);

/** Of a violation whose oracle gives none of its own. */
export const defaultFingerprint = ({ oracle, processes }: Pick<Violated, 'oracle' | 'processes'>): string =>
  [oracle, ...[...processes].sort()].join(' ');

/** This oracle stands for every exception there is: two of them are the same only where they say the same. */
const ANY_EXCEPTION = 'noUncaughtException';

/** Whether an execution in which something was changed violates the same. */
export const isSameInChanged = (one: Violated, other: Violated): boolean =>
  isSameAgain(one, other) || (one.oracle === other.oracle && one.oracle !== ANY_EXCEPTION);
