import type { Random } from '../../kernel/data/random.ts';
import { turnOf, type Candidate, type Chooser } from './chooser.ts';
import { Priorities } from './priorities.ts';

/**
 * Fair: everybody who can do something has its turn before anybody has a second one, and within a process what has
 * waited longest comes first. The seed decides who begins.
 */
export class RoundRobinChooser implements Chooser {
  /** When each had its last turn; who had none yet comes in random order, before all who had one. */
  private readonly turns: Priorities<string>;
  private step = 0;

  constructor(random: Random) {
    this.turns = new Priorities(random);
  }

  choose(candidates: readonly Candidate[]): Candidate {
    let best = candidates[0] as Candidate;
    for (const candidate of candidates) if (this.isBefore(candidate, best)) best = candidate;
    this.turns.set(turnOf(best), ++this.step);
    return best;
  }

  private isBefore(one: Candidate, other: Candidate): boolean {
    const [turn, otherTurn] = [turnOf(one), turnOf(other)];
    if (turn !== otherTurn) return this.turns.of(turn) < this.turns.of(otherTurn);
    return 'cause' in one && 'cause' in other && one.cause < other.cause;
  }
}
