import { hex } from '../trace/digest.ts';
import type { Session } from './ports.ts';

/**
 * Counts fair rounds. A round is over when every event that was enabled at its beginning has happened, or can no longer
 * happen: then no process was kept waiting. Rounds are a property of the execution, not of the strategy.
 */
export class Rounds {
  /** Rounds that are over. */
  count = 0;
  /** The events that the round under way still waits for. */
  private waiting: ReadonlySet<string>;

  constructor(session: Session) {
    this.waiting = enabledIn(session);
  }

  /** After each event: whether it was the last of a round. */
  advance(session: Session): boolean {
    const enabled = enabledIn(session);
    this.waiting = new Set([...this.waiting].filter((id) => enabled.has(id)));
    if (this.waiting.size > 0) return false;
    this.waiting = enabled;
    this.count += 1;
    return true;
  }
}

/** By identity: an event that happens is gone, and one that is set again is another. */
const enabledIn = ({ enabled }: Session): ReadonlySet<string> => new Set(enabled.map(hex));
