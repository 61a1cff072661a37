import type { Steps } from '../../kernel/loop.ts';
import type { Random } from '../../kernel/data/random.ts';
import type { DporOptions } from './dpor.ts';
import { RaceReversal, type SavedRaceReversal } from './race-reversal.ts';
import { RandomWalks, type SavedRandomWalks } from './random-walks.ts';

export interface MixedOptions extends DporOptions {
  readonly random: Random;
}

/** The states of both searches, and whose turn it is, as JSON. */
export interface SavedMixed {
  readonly flips: SavedRaceReversal;
  readonly walks: SavedRandomWalks;
  readonly walksNext: boolean;
}

/**
 * Race reversal and random walks, one execution of each in turn: one often soon finds what the other takes long for. It
 * ends with the race reversal, so the walks add nothing to the verdict.
 */
export class Mixed {
  private readonly flips: RaceReversal;
  private readonly walks: RandomWalks;
  private walksNext = false;
  /** Whether it pauses between two executions, and can be saved. */
  isBetween = false;

  constructor(options: MixedOptions) {
    this.flips = new RaceReversal(options);
    this.walks = new RandomWalks({ ...options, walksMax: Number.POSITIVE_INFINITY });
  }

  get share(): number {
    return this.flips.share;
  }

  save(): SavedMixed {
    return { flips: this.flips.save(), walks: this.walks.save(), walksNext: this.walksNext };
  }

  restore({ flips, walks, walksNext }: SavedMixed): void {
    this.flips.restore(flips);
    this.walks.restore(walks);
    this.walksNext = walksNext;
  }

  /** Pauses after each execution, and now and then. */
  *run(): Steps<void> {
    const [flips, walks] = [this.flips.run(), this.walks.run()];
    while (this.walksNext ? yield* one(walks, this.walks) : yield* one(flips, this.flips)) {
      this.walksNext = !this.walksNext;
      this.isBetween = true;
      yield undefined;
      this.isBetween = false;
    }
  }
}

/** Continues to the end of an execution. Returns whether there was one. */
function* one(executions: Steps<void>, search: { readonly isBetween: boolean }): Steps<boolean> {
  for (let step = executions.next(); step.done !== true; step = executions.next()) {
    if (step.value === undefined && search.isBetween) return true;
    yield step.value;
  }
  return false;
}
