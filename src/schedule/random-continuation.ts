import type { External, Internal } from '../trace/event.ts';
import type { Session, Strategy } from '../kernel/ports.ts';
import type { Random } from '../kernel/data/random.ts';
import type { Weights } from '../kernel/options/weights.ts';
import { chooseNext } from './choosers/chooser.ts';
import { RandomChooser } from './choosers/random.ts';
import { refusalNow } from './replay/recorded-external.ts';

/** The part of an execution that is left to chance. */
export interface RestOfExecution {
  /** The externals that are left, in order. The environment does nothing else. */
  readonly externals: readonly External[];
  /** How many of them happen before the first random choice: starts that come first in every execution. */
  readonly first?: number;
  readonly weights?: Weights;
  /** The number of events after which the execution ends, once no external can happen. Without it, all externals are tried. */
  readonly enough?: number;
  /** An external that cannot happen now waits and lets later ones pass, or is dropped. */
  readonly refused: 'wait' | 'drop';
}

/** Continues an execution at random, as a hunt does: any order of events, between which the externals come in their order. */
export class RandomContinuation implements Strategy {
  private readonly chooser: RandomChooser;
  private readonly externals: External[];
  private first: number;

  constructor(
    random: Random,
    private readonly rest: RestOfExecution,
  ) {
    this.chooser = new RandomChooser(random, rest.weights);
    this.externals = [...rest.externals];
    this.first = rest.first ?? 0;
  }

  next(session: Session): Internal | External | undefined {
    if (this.first-- > 0) return this.externals.shift();
    const { enabled, world } = session;
    const external = this.nextExternal(session);
    if (external === undefined && world.length >= (this.rest.enough ?? Number.POSITIVE_INFINITY)) return undefined;
    const chosen = chooseNext(this.chooser, enabled, external, world.length);
    if (external !== undefined && chosen === external) this.externals.splice(this.externals.indexOf(external), 1);
    return chosen;
  }

  private nextExternal(session: Session): External | undefined {
    const at = this.externals.findIndex((external) => refusalNow(session, external) === undefined);
    if (this.rest.refused === 'drop') this.externals.splice(0, at < 0 ? this.externals.length : at);
    return at < 0 ? undefined : this.externals[this.rest.refused === 'drop' ? 0 : at];
  }
}
