import type { External, Internal } from '../../trace/event.ts';
import type { Footprint } from '../dependence/footprint.ts';

/** An event, with its name and its footprint. */
export interface NamedTransition {
  readonly key: number;
  readonly step: Internal | External;
  readonly foot: Footprint;
}

/** An event to begin with, and its continuations, in the order in which they will be explored. */
export interface Branch extends NamedTransition {
  readonly children: Branch[];
}

/** A sequence of events, with its happens-before order. */
export interface Sequence<E extends NamedTransition> {
  readonly events: readonly E[];
  /** Whether the earlier event has to come before the later one. */
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

/** Whether the sequence could begin with this event, or contain it, without becoming another execution. */
export function isWeakInitial<E extends NamedTransition>(sequence: Sequence<E>, event: NamedTransition): boolean {
  const { events, depends } = sequence;
  if (events.some(({ key }) => key === event.key)) return isInitial(sequence, event);
  return events.every((other) => !depends(other, event));
}

/** Makes sure that some branch covers the sequence: adds the sequence at the first node that no existing branch covers. */
export function insert<E extends NamedTransition>(branches: Branch[], sequence: Sequence<E>): boolean {
  const { events } = sequence;
  if (events.length === 0) return false;
  for (const branch of branches) {
    if (!isWeakInitial(sequence, branch)) continue;
    // A branch that ends here may continue in any way, so it covers the sequence.
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
