import type { Random } from '../kernel/random.ts';
import { turnOf, type Candidate, type Chooser } from './chooser.ts';

/**
 * Partial order sampling (Yuan, Yang, Gu 2018): every candidate has a random priority and the highest goes; those that
 * raced with it, being events of the same process, draw anew. Orders of dependent events come out more evenly than by
 * a uniform choice at each step, whatever the processes do in between.
 */
export class PosChooser implements Chooser {
  private readonly priorities = new Map<Candidate, number>();

  constructor(private readonly random: Random) {}

  choose(candidates: readonly Candidate[]): Candidate {
    let best = candidates[0] as Candidate;
    for (const candidate of candidates) if (this.priorityOf(candidate) > this.priorityOf(best)) best = candidate;
    this.priorities.delete(best);
    const turn = turnOf(best);
    for (const candidate of candidates) if (turnOf(candidate) === turn) this.priorities.delete(candidate);
    return best;
  }

  private priorityOf(candidate: Candidate): number {
    const known = this.priorities.get(candidate);
    if (known !== undefined) return known;
    const drawn = this.random.float();
    this.priorities.set(candidate, drawn);
    return drawn;
  }
}
