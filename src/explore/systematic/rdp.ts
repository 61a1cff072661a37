import type { Steps } from '../../kernel/loop.ts';
import type { Random } from '../../kernel/random.ts';
import { Dpor, type DporOptions } from './dpor.ts';

export interface RdpOptions extends Omit<DporOptions, 'choose'> {
  readonly random: Random;
  readonly walksMax: number;
  /** How many executions follow each walk that turn its races round. */
  readonly executionsPerWalk: number;
}

/**
 * Random walks, each followed by what differs from it in a few races: partial-order reduction that begins with the walk and is
 * given up after so many executions. So it looks closely at several places instead of at one.
 */
export class Rdp {
  /** Whether what followed the last walk came to its end, so that there is nothing else. */
  isExhausted = false;

  constructor(private readonly options: RdpOptions) {}

  /** Pauses after each execution, and now and then. */
  *run(): Steps<void> {
    for (let walks = 0; walks < this.options.walksMax && !this.isExhausted; walks++) {
      if (!(yield* this.around())) return;
    }
  }

  /** A walk and what is near it. Says whether to go on with others. */
  private *around(): Steps<boolean> {
    const { random, visitor, executionsPerWalk } = this.options;
    let left = 1 + executionsPerWalk;
    let isEnough = false;
    const dpor = new Dpor({
      ...this.options,
      choose: (moves) => random.pick(moves),
      visitor: {
        arrived: (session) => visitor.arrived(session),
        familiarBy: (session, move) => visitor.familiarBy(session, move),
        leftOut: (policy) => visitor.leftOut(policy),
        wentAstray: () => visitor.wentAstray(),
        ended: (session, ending) => {
          left -= 1;
          isEnough = !visitor.ended(session, ending);
          return !isEnough && left > 0;
        },
      },
    });
    yield* dpor.run();
    this.isExhausted = !isEnough && left > 0;
    return !isEnough;
  }
}
