import type { Violated } from '../trace/verdict.ts';

/*
 * When two violations are the same bug depends on how they were come by. Executed again, the same events must give the same
 * fingerprint. Made smaller, a violation may lose processes. With one event changed, it may be about other processes altogether.
 */

/**
 * In the fingerprint of a violation that another tool reports, and that has none of ours: alone it stands for every violation, behind the name of an
 * oracle for all of that oracle.
 */
export const ANY_VIOLATION = '*';

const standsFor = (one: Violated, other: Violated): boolean =>
  one.fingerprint === ANY_VIOLATION || one.fingerprint === `${other.oracle} ${ANY_VIOLATION}`;

/** Whether two executions of the same events end with the same violation. */
export const isSameAgain = (one: Pick<Violated, 'fingerprint'>, other: Pick<Violated, 'fingerprint'>): boolean =>
  one.fingerprint === other.fingerprint;

/**
 * Whether two violations count as the same bug during minimization. Violations with the default fingerprint need only
 * have one process in common, because fewer events often leave fewer processes. A fingerprint of the user's own must be
 * equal.
 */
export function isSameBug(one: Violated, other: Violated): boolean {
  if (one.fingerprint === other.fingerprint || standsFor(one, other) || standsFor(other, one)) return true;
  if (one.oracle !== other.oracle || !isDefault(one) || !isDefault(other)) return false;
  return one.processes.some((process) => other.processes.includes(process));
}

export const isDefault = (violation: Violated): boolean => violation.fingerprint === defaultFingerprint(violation);

/** The fingerprint of a violation whose oracle gives none. */
export const defaultFingerprint = ({ oracle, processes }: Pick<Violated, 'oracle' | 'processes'>): string =>
  [oracle, ...[...processes].sort()].join(' ');

/** This oracle reports every exception: two exceptions are the same only if their messages are. */
const ANY_EXCEPTION = 'noUncaughtException';

/** Whether an execution that was changed ends with the same violation. */
export const isSameInChanged = (one: Violated, other: Violated): boolean =>
  isSameAgain(one, other) || (one.oracle === other.oracle && one.oracle !== ANY_EXCEPTION);
