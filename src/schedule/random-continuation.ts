import { type External, type Internal, externalOf, isInternal, type Event } from '../trace/event.ts';
import type { Session, Strategy } from '../kernel/ports.ts';
import { Random } from '../kernel/data/random.ts';
import type { Weights } from '../kernel/options/weights.ts';
import { RandomChooser } from './choosers/random.ts';
import { refusalNow } from './replay/recorded-external.ts';

/** What an execution goes on with by chance. */
export interface Rest {
  /** What the environment still does, in order, and nothing else. */
  readonly externals: readonly External[];
  /** How many of them happen before anything is left to chance: starts that come first in every execution. */
  readonly first: number;
  readonly weights: Weights;
  /** It ends when it has so many events and the environment has nothing left that it could do. */
  readonly enough: number;
}

/**
 * Goes on at random, as a hunt does. What the environment still does comes in its order; but what cannot happen yet, such as
 * the loss of a message that is not there, lets the next one pass.
 */
export class RandomContinuation implements Strategy {
  private readonly chooser: RandomChooser;
  private readonly externals: External[];
  private first: number;

  constructor(
    random: Random,
    private readonly rest: Rest,
  ) {
    this.chooser = new RandomChooser(random, rest.weights);
    this.externals = [...rest.externals];
    this.first = rest.first;
  }

  next(session: Session): Internal | External | undefined {
    if (this.first-- > 0) return this.externals.shift();
    const external = this.externals.find((one) => session.refusal(one) === undefined);
    if (external === undefined && session.world.length >= this.rest.enough) return undefined;
    const candidates = external === undefined ? session.enabled : [...session.enabled, external];
    if (candidates.length === 0) return undefined;
    const chosen = this.chooser.choose(candidates);
    if (external !== undefined && chosen === external) this.externals.splice(this.externals.indexOf(external), 1);
    return chosen;
  }
}

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
