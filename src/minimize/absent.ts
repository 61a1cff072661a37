import type { Event } from '../trace/event.ts';
import type { Answer, Candidate, Failing, Pass } from './pass.ts';

/**
 * The same pass, where this becomes of events that cannot happen. Where the execution is to end there, whatever a dropped
 * event had caused is dropped with it: it is known that it cannot happen, and would end everything.
 */
export const withAbsent = (pass: Pass, absent: NonNullable<Candidate['absent']>): Pass =>
  function* (failing) {
    const causes = new Map<Event, Event | undefined>();
    const learn = ({ events }: Failing): void => {
      for (const event of events) causes.set(event, events[event.cause]);
    };
    learn(failing);
    const asking = pass(failing);
    let step = asking.next();
    while (step.done !== true) {
      const events = absent === 'stop' ? possible(step.value.events, causes) : step.value.events;
      const answer: Answer = yield { ...step.value, events, absent };
      if (answer.failing !== undefined) learn(answer.failing);
      step = asking.next(answer);
    }
    return step.value;
  };

/** Those whose causes are still there. */
function possible(events: readonly Event[], causes: ReadonlyMap<Event, Event | undefined>): readonly Event[] {
  const kept = new Set<Event>();
  for (const event of events) {
    const cause = causes.get(event);
    if (cause === undefined || kept.has(cause)) kept.add(event);
  }
  return [...kept];
}
