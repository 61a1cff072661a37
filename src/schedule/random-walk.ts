import { externalOf, isInternal, type Event, type External, type Internal } from '../trace/event.ts';
import { Random } from '../kernel/data/random.ts';
import type { Session, Strategy } from '../kernel/ports.ts';
import { refusalNow } from './replay/recorded-external.ts';
import { RandomChooser } from './choosers/random.ts';

/**
 * Any order of what can happen, by chance. Of the environment's events those that a recording still has come in between,
 * in their order, and no others.
 */
export class RandomWalk implements Strategy {
  private readonly chooser: RandomChooser;
  private readonly externals: External[];

  constructor(rest: readonly Event[], seed: number) {
    this.chooser = new RandomChooser(Random.seeded(seed, 0x7761_6e64));
    this.externals = rest.flatMap((event) => (isInternal(event) || event.cause >= 0 ? [] : [externalOf(event)]));
  }

  next(session: Session): Internal | External | undefined {
    while (this.externals[0] !== undefined && refusalNow(session, this.externals[0]) !== undefined)
      this.externals.shift();
    const [external] = this.externals;
    const candidates = external === undefined ? session.enabled : [...session.enabled, external];
    if (candidates.length === 0) return undefined;
    const chosen = this.chooser.choose(candidates);
    if (chosen === external) this.externals.shift();
    return chosen;
  }
}
