import type { Session } from '../kernel/ports.ts';
import type { Dropped } from '../kernel/recording.ts';
import { unknownTargets } from '../schedule/replay/lenient-replay.ts';
import { hex } from '../trace/digest.ts';
import { isInternal, type Event } from '../trace/event.ts';
import { dropperOf, type Undelivered } from '../trace/undelivered.ts';
import type { Violated } from '../trace/verdict.ts';
import type { Failing } from './pass.ts';

/** The events of an execution up to the violation. */
export const failingEvents = ({ recording }: Session, violation: Violated): readonly Event[] =>
  recording.events.since(0).slice(0, violation.events);

/** The messages that were lost to cuts during these events. */
export const lostToCutsIn = (session: Session, events: readonly Event[]): readonly Dropped[] =>
  droppedIn(session).filter(({ why, event }) => why === 'cut' && event < events.length);

/** The messages that faults of an execution happened to. */
export function targetsIn(session: Session, events: readonly Event[]): Failing['targets'] {
  const targets = unknownTargets(events);
  if (targets.size === 0) return targets;
  const dropped = droppedIn(session).map(({ message }) => message);
  for (const event of [...events, ...session.world.pending, ...dropped])
    if (isInternal(event) && targets.has(hex(event))) targets.set(hex(event), event);
  return targets;
}

/** What appeared in a session and did not happen. */
export const undeliveredBy = (session: Session): readonly Undelivered[] => {
  const events = session.recording.events.since(0);
  return [
    ...session.world.pending.map((event) => ({ event, droppedBy: undefined })),
    ...droppedIn(session).map(({ message, why, event }) => ({
      event: message,
      droppedBy: dropperOf({ message, why, at: event }, events),
    })),
  ];
};

const droppedIn = ({ recording }: Session): Dropped[] =>
  recording.notes.since(0).filter((note) => note.kind === 'dropped');
