import { isConsequence, type Deliver, type Event } from '../../trace/event.ts';

/** The messages that the environment lost or duplicated by itself, by identity, where a recording does not have them. */
export const unknownTargets = (events: readonly Event[]): Map<string, Deliver | undefined> =>
  new Map(
    events.flatMap((event) => ('target' in event && !isConsequence(event, events) ? [[event.target, undefined]] : [])),
  );
