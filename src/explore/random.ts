import { isInternal, type EventKind } from '../trace/event.ts';
import type { Random } from '../kernel/random.ts';
import type { Candidate, Chooser } from './chooser.ts';

/** How likely an event of each kind is chosen, against the others that could be. */
export type Weights = Readonly<Partial<Record<EventKind | 'external', number>>>;

/** Timers are nearly always pending, messages only for a while: with equal weights timers would starve them. */
export const defaultWeights: Weights = { fire: 0.25 };

/** Random among the candidates, in proportion to their weights; a kind without a weight has 1. */
export class RandomChooser implements Chooser {
  private readonly heaviest: number;

  constructor(
    private readonly random: Random,
    private readonly weights: Weights = defaultWeights,
  ) {
    this.heaviest = Math.max(1, ...Object.values(weights));
  }

  choose(candidates: readonly Candidate[]): Candidate {
    // Draw until one is accepted: the list is never walked. Where only the weightless can happen, one of them must.
    for (let draws = 0; draws < DRAWS_MAX; draws++) {
      const drawn = this.random.pick(candidates);
      const weight = this.weights[kindOf(drawn)] ?? 1;
      if (weight >= this.heaviest || this.random.float() * this.heaviest < weight) return drawn;
    }
    return this.random.pick(candidates);
  }
}

/** What a candidate is weighed as. */
export const kindOf = (candidate: Candidate): EventKind | 'external' =>
  isInternal(candidate) ? candidate.kind : 'external';

const DRAWS_MAX = 100;
