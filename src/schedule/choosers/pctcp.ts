import { isInternal, type Internal } from '../../trace/event.ts';
import type { Random } from '../../kernel/data/random.ts';
import type { Candidate, Chooser } from './chooser.ts';
import { changePoints } from './pct.ts';

/**
 * PCTCP (Ozkan, Majumdar, Niksic, Befrouei, Weissenbacher 2018): PCT for message passing. Events form chains, each a
 * sequence of causes and effects; chains have random priorities, and `depth - 1` random events fall below all chains.
 *
 * The paper partitions into few chains by an optimal online algorithm. Here an event continues its cause's chain if the
 * cause is that chain's end, and begins one of its own otherwise: chains all the same, but more of them.
 */
export class PctcpChooser implements Chooser {
  private readonly chains = new Map<Candidate, Chain>();
  /** The chain that ends with an event, by the index of the event. */
  private readonly ends = new Map<number, Chain>();
  private readonly changes: ReadonlySet<number>;
  private seen = 0;
  private lowest = 0;

  constructor(
    private readonly random: Random,
    depth: number,
    steps: number,
  ) {
    this.changes = changePoints(random, depth, steps);
  }

  choose(candidates: readonly Candidate[], at: number): Candidate {
    let best: Candidate | undefined;
    let highest = Number.NEGATIVE_INFINITY;
    for (const candidate of candidates) {
      const { priority } = this.chainOf(candidate);
      if (priority > highest) [best, highest] = [candidate, priority];
    }
    return this.advance(best as Candidate, at);
  }

  /** The chosen event is now the end of its chain. */
  private advance(chosen: Candidate, at: number): Candidate {
    this.ends.set(at, this.chainOf(chosen));
    this.chains.delete(chosen);
    return chosen;
  }

  private chainOf(candidate: Candidate): Chain {
    const known = this.chains.get(candidate);
    if (known !== undefined) return known;
    const chain = isInternal(candidate) ? this.continued(candidate) : this.begun();
    if (this.changes.has(this.seen++)) chain.priority = --this.lowest;
    this.chains.set(candidate, chain);
    return chain;
  }

  private continued({ cause }: Internal): Chain {
    const chain = this.ends.get(cause);
    // A chain continues once: the next effect of the same cause begins another chain.
    this.ends.delete(cause);
    return chain ?? this.begun();
  }

  private begun(): Chain {
    return { priority: this.random.float() };
  }
}

interface Chain {
  priority: number;
}
