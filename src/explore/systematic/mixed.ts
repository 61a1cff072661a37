import type { Steps } from '../../kernel/loop.ts';
import type { Random } from '../../kernel/random.ts';
import type { DporOptions } from './dpor.ts';
import { Flips } from './flips.ts';
import { Walks } from './walks.ts';

export interface MixedOptions extends DporOptions {
  readonly random: Random;
}

/**
 * Races turned round and random walks, an execution of each in turn: what one of them takes long for, the other often meets
 * soon. It is over when the races are, so that the walks add nothing to what is certain.
 */
export class Mixed {
  private readonly flips: Flips;
  private readonly walks: Walks;
  private ended = 0;

  constructor(options: MixedOptions) {
    const visitor: DporOptions['visitor'] = {
      ...options.visitor,
      ended: (session, ending) => {
        this.ended += 1;
        return options.visitor.ended(session, ending);
      },
    };
    this.flips = new Flips({ ...options, visitor });
    this.walks = new Walks({ ...options, visitor, walksMax: Number.POSITIVE_INFINITY });
  }

  get share(): number {
    return this.flips.share;
  }

  /** Pauses after each execution, and now and then. */
  *run(): Steps<void> {
    const [flips, walks] = [this.flips.run(), this.walks.run()];
    while (yield* this.one(flips)) yield* this.one(walks);
  }

  /** Goes on to the end of an execution; whether there was one. */
  private *one(executions: Steps<void>): Steps<boolean> {
    const before = this.ended;
    for (let step = executions.next(); step.done !== true; step = executions.next()) {
      yield step.value;
      if (this.ended > before) return true;
    }
    return false;
  }
}
