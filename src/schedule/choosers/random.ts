import { isInternal } from '../../trace/event.ts';
import { oncePer } from '../../kernel/data/once-per.ts';
import type { Random } from '../../kernel/data/random.ts';
import { everyWeight, type WeighedKind, type Weights } from '../../kernel/options/weights.ts';
import type { Candidate, Chooser } from './chooser.ts';

/** Chooses a random candidate, in proportion to the weights. */
export class RandomChooser implements Chooser {
  private readonly weights: Readonly<Record<WeighedKind, number>>;
  private readonly heaviest: number;

  constructor(
    private readonly random: Random,
    weights: Weights = standard,
  ) {
    const { each, heaviest } = scaleOf(weights);
    this.weights = each;
    this.heaviest = heaviest;
  }

  choose(candidates: readonly Candidate[]): Candidate {
    // Draws until one is accepted, so that the list is never walked. If all candidates have weight 0, one of them is
    // chosen.
    for (let draws = 0; draws < DRAWS_MAX; draws++) {
      const drawn = this.random.pick(candidates);
      const weight = this.weights[kindOf(drawn)];
      if (weight >= this.heaviest || this.random.float() * this.heaviest < weight) return drawn;
    }
    return this.random.pick(candidates);
  }
}

/** The weight of every kind, and the heaviest. */
interface Scale {
  readonly each: Readonly<Record<WeighedKind, number>>;
  readonly heaviest: number;
}

const standard: Weights = {};

/** All executions of a hunt have the same weights. */
const scaleOf = oncePer((weights: Weights): Scale => {
  const each = everyWeight(weights);
  return { each, heaviest: Math.max(...Object.values(each)) };
});

/** The kind whose weight a candidate has. */
export const kindOf = (candidate: Candidate): WeighedKind => (isInternal(candidate) ? candidate.kind : 'external');

const DRAWS_MAX = 100;
