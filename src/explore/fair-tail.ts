import type { External, Internal } from '../trace/event.ts';
import { heal } from '../kernel/externals.ts';
import type { Session, Strategy } from '../kernel/ports.ts';
import { Rounds } from '../kernel/rounds.ts';
import type { Chooser } from './chooser.ts';

/**
 * Lets a strategy do its worst for so many events, then leaves the system alone: every link is healed, and a fair
 * chooser decides for so many rounds. Only then can anybody say that the system makes no progress.
 */
export class FairTail implements Strategy {
  private rounds: Rounds | undefined;

  constructor(
    private readonly head: Strategy,
    private readonly tail: Chooser,
    private readonly headEvents: number,
    private readonly roundsMax: number,
  ) {}

  next(session: Session): Internal | External | undefined {
    if (this.rounds === undefined) {
      const event = session.world.length < this.headEvents ? this.head.next(session) : undefined;
      if (event !== undefined) return event;
      if (session.world.cutLinks.length > 0) return heal();
      this.rounds = new Rounds(session);
    } else this.rounds.advance(session);
    const { enabled } = session;
    if (this.rounds.count > this.roundsMax || enabled.length === 0) return undefined;
    return this.tail.choose(enabled, session.world.length);
  }
}
