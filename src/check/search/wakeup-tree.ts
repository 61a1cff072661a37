import type { External, Internal } from '../../trace/event.ts';
import type { Footprint } from '../dependence/footprint.ts';

/** An event as far as it matters for what it may trade places with. */
export interface NamedTransition {
  readonly key: number;
  readonly step: Internal | External;
  readonly foot: Footprint;
}

/** An event to begin with, and what must follow: children in the order in which they will be explored. */
export interface Branch extends NamedTransition {
  readonly children: Branch[];
}

/** A sequence of events, with the order among them that counts. */
export interface Sequence<E extends NamedTransition> {
  readonly events: readonly E[];
  /** Whether the one, which is earlier, has to be. */
  readonly isBefore: (earlier: E, later: E) => boolean;
  /** Whether the order of an event of the sequence and another one may matter. */
  readonly depends: (event: E, other: NamedTransition) => boolean;
}

/** Whether the sequence has this event, and could begin with it. */
export function isInitial<E extends NamedTransition>(
  { events, isBefore }: Sequence<E>,
  event: NamedTransition,
): boolean {
  const at = events.findIndex(({ key }) => key === event.key);
  return at >= 0 && !events.slice(0, at).some((earlier) => isBefore(earlier, events[at] as E));
}

/** Whether the sequence could begin with this event, or go on with it, without becoming another execution. */
export function isWeakInitial<E extends NamedTransition>(sequence: Sequence<E>, event: NamedTransition): boolean {
  const { events, depends } = sequence;
  if (events.some(({ key }) => key === event.key)) return isInitial(sequence, event);
  return events.every((other) => !depends(other, event));
}

/**
 * Makes sure that one of the branches leads to what the sequence leads to: adds it at the first place where nothing
 * that is there already does.
 */
export function insert<E extends NamedTransition>(branches: Branch[], sequence: Sequence<E>): boolean {
  const { events } = sequence;
  if (events.length === 0) return false;
  for (const branch of branches) {
    if (!isWeakInitial(sequence, branch)) continue;
    // What ends here may go on in any way: also in this one.
    if (branch.children.length === 0) return false;
    return insert(branch.children, { ...sequence, events: events.filter(({ key }) => key !== branch.key) });
  }
  branches.push(chain(events));
  return true;
}

export function chain(events: readonly NamedTransition[]): Branch {
  let branch: Branch | undefined;
  for (const { key, step, foot } of events.toReversed())
    branch = { key, step, foot, children: branch === undefined ? [] : [branch] };
  return branch as Branch;
}
