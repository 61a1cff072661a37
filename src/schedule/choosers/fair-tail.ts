import { heal } from '../../system/externals.ts';
import type { Session, Strategy } from '../../kernel/ports.ts';
import { Rounds } from '../../kernel/rounds.ts';
import type { Chooser } from './chooser.ts';

/** A strategy with a workload that ends. */
export interface Head extends Strategy {
  readonly isDone: boolean;
}

/** The number of events of the head: at least `events`, more if its workload takes longer, but never more than `eventsMax`. */
export interface HeadRoom {
  readonly events: number;
  readonly eventsMax: number;
}

/**
 * Runs a strategy until its workload is done, then ends fairly: every link is healed, and a fair chooser decides for
 * some rounds. Without a fair end, a lack of progress would prove nothing.
 */
export class FairTail implements Strategy {
  private rounds: Rounds | undefined;

  constructor(
    private readonly head: Head,
    private readonly tail: Chooser,
    private readonly room: HeadRoom,
    private readonly roundsMax: number,
  ) {}

  next(session: Session): ReturnType<Strategy['next']> {
    if (this.rounds === undefined) {
      const event = this.isHeadOver(session.world.length) ? undefined : this.head.next(session);
      if (event !== undefined) return event;
      if (session.world.cutLinks.length > 0) return heal();
      this.rounds = new Rounds(session);
    } else this.rounds.advance(session);
    const { enabled } = session;
    if (this.rounds.count > this.roundsMax || enabled.length === 0) return undefined;
    return this.tail.choose(enabled, session.world.length);
  }

  private isHeadOver(length: number): boolean {
    return length >= this.room.eventsMax || (this.head.isDone && length >= this.room.events);
  }
}
