import type { Random } from '../../kernel/data/random.ts';
import { turnOf, type Candidate, type Chooser } from './chooser.ts';
import { Priorities } from './priorities.ts';

/**
 * Fair: each process that can act has its turn before any has a second one, and within a process the oldest event comes
 * first. The seed decides which process begins.
 */
export class RoundRobinChooser implements Chooser {
  /** The step of each process's last turn. Processes without a turn come before all others, in random order. */
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
