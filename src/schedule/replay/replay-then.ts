import type { Event, External, Internal } from '../../trace/event.ts';
import type { Session, Strategy } from '../../kernel/ports.ts';
import { ReplayStrategy } from './exact-replay.ts';

/** Follows a recording for so many events, then lets another strategy go on: what else could have come of it? */
export class ReplayThen implements Strategy {
  private readonly replay: ReplayStrategy;

  constructor(
    schedule: readonly Event[],
    events: number,
    private readonly then: Strategy,
  ) {
    this.replay = new ReplayStrategy(schedule.slice(0, events));
  }

  next(session: Session): ReturnType<Strategy['next']> {
    return this.replay.next(session) ?? this.then.next(session);
  }
}
