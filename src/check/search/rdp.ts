import type { Steps } from '../../kernel/loop.ts';
import { Random } from '../../kernel/data/random.ts';
import { Dpor, type DporOptions } from './dpor.ts';
import { StaleCheckpoint, type SavedExplorationStack } from './saved.ts';

export interface RdpOptions extends Omit<DporOptions, 'choose'> {
  readonly random: Random;
  readonly walksMax: number;
  /** The number of executions around each walk that reverse its races. */
  readonly executionsPerWalk: number;
}

/** The number of walks, the state of the random numbers, and the rest around the last walk, as JSON. */
export interface SavedRdp {
  readonly walks: number;
  readonly random: string;
  readonly around?: { readonly path: SavedExplorationStack; readonly left: number };
}

/**
 * Random walks, each followed by executions that differ from it in a few races: partial-order reduction that begins
 * with the walk and stops after some executions. So it explores several regions closely instead of one.
 */
export class Rdp {
  /** Whether the reduction around the last walk ended, so that nothing else exists. */
  isExhausted = false;
  private walks = 0;
  private random: Random;
  /** The reduction around the current walk, and the number of its executions that are left. */
  private dpor: Dpor | undefined;
  private left = 0;
  private isEnough = false;
  private isBetweenWalks = false;

  constructor(private readonly options: RdpOptions) {
    this.random = options.random;
  }

  /** Whether it pauses between two executions, and can be saved. */
  get isBetween(): boolean {
    return this.isBetweenWalks || this.dpor?.isBetween === true;
  }

  save(): SavedRdp {
    const { walks, dpor, left } = this;
    const around = dpor === undefined ? {} : { around: { path: dpor.save(), left } };
    return { walks, random: this.random.position, ...around };
  }

  *restore({ walks, random, around }: SavedRdp): Steps<void> {
    this.walks = walks;
    this.random = Random.at(random);
    if (around !== undefined) yield* this.restoreAround(around);
  }

  /** If oracles have read more since the walk began, its races are outdated, and the next walk begins. */
  private *restoreAround({ path, left }: NonNullable<SavedRdp['around']>): Steps<void> {
    this.dpor = this.around();
    this.left = left;
    try {
      yield* this.dpor.restore(path);
    } catch (error) {
      if (!(error instanceof StaleCheckpoint)) throw error;
      this.dpor = undefined;
      this.walks += 1;
    }
  }

  /** Pauses after each execution, and now and then. */
  *run(): Steps<void> {
    while (this.walks < this.options.walksMax && !this.isExhausted) {
      this.dpor ??= this.around();
      yield* this.dpor.run();
      if (this.isEnough) return;
      this.isExhausted = this.left > 0;
      this.dpor = undefined;
      this.walks += 1;
      this.isBetweenWalks = true;
      yield undefined;
      this.isBetweenWalks = false;
    }
  }

  /** A walk with the reduction around it. */
  private around(): Dpor {
    const { visitor, executionsPerWalk } = this.options;
    this.left = 1 + executionsPerWalk;
    return new Dpor({
      ...this.options,
      choose: (transitions) => this.random.pick(transitions),
      visitor: {
        arrived: (session) => visitor.arrived(session),
        familiarBy: (session, transition) => visitor.familiarBy(session, transition),
        leftOut: (policy) => visitor.leftOut(policy),
        infeasible: () => visitor.infeasible(),
        heldBack: () => visitor.heldBack?.(),
        ended: (session, ending) => {
          this.left -= 1;
          this.isEnough = !visitor.ended(session, ending);
          return !this.isEnough && this.left > 0;
        },
      },
    });
  }
}
