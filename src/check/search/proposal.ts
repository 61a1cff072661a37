import { namedIn, savedNamed, type Numbering, type SavedNamed } from './saved.ts';
import type { NamedTransition, Sequence } from './wakeup-tree.ts';

/** A sequence of events that has to be explored from an earlier world, by the thread that owns that world. */
export interface Proposal {
  /** The number of that world. */
  readonly at: number;
  readonly events: readonly SavedProposed[];
}

interface SavedProposed extends SavedNamed {
  readonly after: readonly number[];
}

/** An event, with the keys of the earlier events of the sequence that must come before it. */
interface Proposed extends NamedTransition {
  readonly after: readonly number[];
}

export const proposal = <E extends NamedTransition>(
  at: number,
  { events, isBefore }: Sequence<E>,
  numbering: Numbering,
): Proposal => ({
  at,
  events: events.map((event, place) => {
    const earlier = events.slice(0, place).filter((other) => isBefore(other, event));
    return { ...savedNamed(event, numbering), after: earlier.map(({ key }) => key) };
  }),
});

export const proposedIn = (
  { events }: Proposal,
  numbering: Numbering,
  depends: Sequence<Proposed>['depends'],
): Sequence<Proposed> => ({
  events: events.map((event) => ({ ...namedIn(event, numbering), after: event.after })),
  isBefore: (earlier, later) => later.after.includes(earlier.key),
  depends,
});
