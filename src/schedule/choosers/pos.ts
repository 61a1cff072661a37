import type { Random } from '../../kernel/data/random.ts';
import { turnOf, type Candidate, type Chooser } from './chooser.ts';
import { Priorities } from './priorities.ts';

/**
 * Partial order sampling (Yuan, Yang, Gu 2018): every candidate has a random priority, and the highest is chosen. Then the
 * candidates of the same process, which raced with it, draw again. The orders of dependent events are distributed more
 * evenly than by a uniform choice at each step.
 */
export class PosChooser implements Chooser {
  private readonly priorities: Priorities<Candidate>;

  constructor(random: Random) {
    this.priorities = new Priorities(random);
  }

  choose(candidates: readonly Candidate[]): Candidate {
    let best = candidates[0] as Candidate;
    for (const candidate of candidates) if (this.priorities.of(candidate) > this.priorities.of(best)) best = candidate;
    const turn = turnOf(best);
    for (const candidate of candidates) if (turnOf(candidate) === turn) this.priorities.forget(candidate);
    return best;
  }
}
