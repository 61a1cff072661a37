import type { Violated } from '../trace/verdict.ts';

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
