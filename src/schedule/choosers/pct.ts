import type { Random } from '../../kernel/data/random.ts';
import { turnOf, type Candidate, type Chooser } from './chooser.ts';
import { Priorities } from './priorities.ts';

/**
 * PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte 2010): the process with the highest random priority continues, except
 * at `depth - 1` random steps, where it falls below all others. Finds a bug that needs `depth` ordering constraints
 * with probability at least 1 / (n k^(depth - 1)), for n processes and k steps.
 *
 * The paper schedules threads, which have one next step. A process here may have several deliveries to choose from:
 * one of them is drawn.
 */
export class PctChooser implements Chooser {
  private readonly priorities: Priorities<string>;
  private readonly changes: ReadonlySet<number>;
  private step = 0;
  private lowest = 0;

  constructor(
    private readonly random: Random,
    depth: number,
    steps: number,
  ) {
    this.priorities = new Priorities(random);
    this.changes = changePoints(random, depth, steps);
  }

  choose(candidates: readonly Candidate[]): Candidate {
    if (this.changes.has(this.step++)) this.priorities.set(this.highest(candidates), --this.lowest);
    const turn = this.highest(candidates);
    return this.random.pick(candidates.filter((candidate) => turnOf(candidate) === turn));
  }

  private highest(candidates: readonly Candidate[]): string {
    let best = '';
    for (const candidate of candidates) {
      const turn = turnOf(candidate);
      if (best === '' || this.priorities.of(turn) > this.priorities.of(best)) best = turn;
    }
    return best;
  }
}

/** Draws `depth - 1` of the first `steps` steps. */
export const changePoints = (random: Random, depth: number, steps: number): ReadonlySet<number> =>
  new Set(Array.from({ length: depth - 1 }, () => random.below(Math.max(1, steps))));
