import { externalOf, isConsequence, isInternal, type Event, type External, type Internal } from '../../trace/event.ts';
import type { Session, Strategy } from '../../kernel/ports.ts';
import { refusalNow } from './recorded-external.ts';

/** Replays exactly those events of a recording that can still happen, in its order, and skips the others. */
export class PartialReplay implements Strategy {
  /** The index at which each event of the recording happened; undefined if it did not. */
  readonly places: (number | undefined)[] = [];

  constructor(private readonly schedule: readonly Event[]) {}

  next(session: Session): Internal | External | undefined {
    while (this.places.length < this.schedule.length) {
      const wanted = this.schedule[this.places.length] as Event;
      const found = isConsequence(wanted, this.schedule) ? undefined : possible(session, wanted);
      this.places.push(found === undefined ? this.withAction(session, wanted) : session.world.length);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The index of a consequence, which has happened with its action if the action has. */
  private withAction(session: Session, wanted: Event): number | undefined {
    const action = isConsequence(wanted, this.schedule) ? this.places[wanted.cause] : undefined;
    const place = action === undefined ? undefined : action + this.places.length - wanted.cause;
    return place !== undefined && place < session.world.length ? place : undefined;
  }
}

function possible(session: Session, wanted: Event): Internal | External | undefined {
  if (isInternal(wanted)) return session.find(wanted);
  const external = externalOf(wanted);
  return refusalNow(session, external) === undefined ? external : undefined;
}
