import type { Random } from '../../kernel/data/random.ts';
import { everyWeight, type Weights } from '../../kernel/options/weights.ts';
import type { Candidate, Chooser } from './chooser.ts';
import { kindOf } from './random.ts';

/**
 * Adds weights to a chooser that has none: at each step, all candidates of a kind are left out with a probability that
 * follows from its weight. Without this, a chooser by priorities starves messages, because some timer is always
 * pending.
 */
export class WeightedChooser implements Chooser {
  private readonly light: readonly (readonly [kind: string, chance: number])[];

  constructor(
    private readonly chooser: Chooser,
    private readonly random: Random,
    weights?: Weights,
  ) {
    const all = everyWeight(weights);
    const heaviest = Math.max(...Object.values(all));
    this.light = Object.entries(all)
      .filter(([, weight]) => weight < heaviest)
      .map(([kind, weight]) => [kind, weight / heaviest]);
  }

  choose(candidates: readonly Candidate[], at: number): Candidate {
    let left = candidates;
    for (const [kind, chance] of this.light) {
      if (left.some((one) => kindOf(one) === kind) && this.random.float() >= chance)
        left = left.filter((one) => kindOf(one) !== kind);
    }
    return this.chooser.choose(left.length === 0 ? candidates : left, at);
  }
}
