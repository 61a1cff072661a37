import type { ActorSystem, ActorSystemInfo, AnyActorRef } from 'xstate';
import type { Io, Timer } from './io.ts';

type Scheduler = ActorSystem<ActorSystemInfo>['scheduler'];

/** A delayed event of a machine. */
interface Delayed {
  readonly source: AnyActorRef;
  readonly id: string | undefined;
  readonly timer: Timer;
}

/**
 * Makes the delayed events of an actor system timers of a process, called after their events. XState's own schedule reads
 * the real clock and draws real random numbers, which changes nothing but looks like a leak.
 */
export function followSchedule(scheduler: Scheduler, io: Io, machine: string, call: (act: () => void) => void): void {
  const all = new Set<Delayed>();
  const cancelWhere = (isMeant: (delayed: Delayed) => boolean): void => {
    for (const delayed of [...all].filter(isMeant)) {
      all.delete(delayed);
      io.clearTimeout(delayed.timer);
    }
  };
  scheduler.schedule = (source, target, event, delay, id) => {
    const happen = (): void => {
      all.delete(delayed);
      call(() => target.send(event));
    };
    Object.defineProperty(happen, 'name', { value: timerName(event.type, machine) });
    const delayed: Delayed = { source, id, timer: io.setTimeout(happen, delay) };
    all.add(delayed);
  };
  scheduler.cancel = (source, id) => cancelWhere((delayed) => delayed.source === source && delayed.id === id);
  scheduler.cancelAll = (source) => cancelWhere((delayed) => delayed.source === source);
}

const AFTER = 'xstate.after.';

/** `after 100 (waiting)` of a transition after 100 ms in the state `waiting`; other events are delayed by their own name. */
function timerName(type: string, machine: string): string {
  if (!type.startsWith(AFTER)) return type;
  const [delay, ...states] = type.slice(AFTER.length).split(`.${machine}.`);
  return states.length === 0 ? `after ${delay}` : `after ${delay} (${states.join(`.${machine}.`)})`;
}
