import type { Event, ExternalEvent } from '../../trace/event.ts';
import type { Rules } from '../rules.ts';
import { isFrom, ownExternals } from './groups.ts';

/**
 * The events to drop, and with each failure the next recovery from it: a recovery of what works makes no sense. It stays if it is one from
 * another failure, too, that is not dropped.
 */
export function withRecoveries(
  dropped: ReadonlySet<number>,
  events: readonly Event[],
  rules: Rules,
): ReadonlySet<number> {
  const failures = failuresByRecovery(events, rules);
  const vain = [...failures].filter(
    ([recovery, all]) => !dropped.has(recovery) && all.every((failure) => dropped.has(failure)),
  );
  return vain.length === 0 ? dropped : new Set([...dropped, ...vain.map(([recovery]) => recovery)]);
}

// Executions do not change, and each is asked about once for every candidate.
const known = new WeakMap<readonly Event[], ReadonlyMap<number, readonly number[]>>();

/** The recoveries, each with the failures that it is the next recovery from. */
function failuresByRecovery(events: readonly Event[], rules: Rules): ReadonlyMap<number, readonly number[]> {
  const before = known.get(events);
  if (before !== undefined) return before;
  const found = new Map<number, number[]>();
  const own = ownExternals(events, rules);
  const recoveries = own.filter(({ event, recovered }) => recovered !== undefined || isRecovery(event));
  for (const failure of own) {
    const next = recoveries.find((other) => other.at > failure.at && isFrom(failure, other));
    if (next !== undefined) found.set(next.at, [...(found.get(next.at) ?? []), failure.at]);
  }
  known.set(events, found);
  return found;
}

const isRecovery = ({ kind }: ExternalEvent): boolean => kind === 'restart' || kind === 'resume' || kind === 'heal';
