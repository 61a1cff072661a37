import type { External, Internal } from '../../trace/event.ts';
import { heal } from '../../system/externals.ts';
import type { Session, Strategy } from '../../kernel/ports.ts';
import { Rounds } from '../../kernel/rounds.ts';
import type { Chooser } from './chooser.ts';

/** A strategy that has a workload to get through. */
export interface Head extends Strategy {
  readonly isDone: boolean;
  next(session: Session): Internal | External | undefined;
}

/** How many events the head has: some, more where its workload takes longer, but never more than there is room for. */
export interface HeadRoom {
  readonly events: number;
  readonly eventsMax: number;
}

/**
 * Lets a strategy do its worst until its workload is done, then leaves the system alone: every link is healed, and a
 * fair chooser decides for so many rounds. Only then can anybody say that the system makes no progress.
 */
export class FairTail implements Strategy {
  private rounds: Rounds | undefined;

  constructor(
    private readonly head: Head,
    private readonly tail: Chooser,
    private readonly room: HeadRoom,
    private readonly roundsMax: number,
  ) {}

  next(session: Session): Internal | External | undefined {
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
