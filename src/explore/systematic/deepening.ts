import type { Steps } from '../../kernel/loop.ts';
import { Interleavings, type InterleavingsOptions } from './interleavings.ts';

export interface DeepeningOptions extends Omit<InterleavingsOptions, 'known'> {
  /** By how many events executions get longer from round to round. */
  readonly by: number;
}

/**
 * Every order in which things can happen, those that differ early first: again and again, and each time executions may be
 * longer. With steps of one event, the first violation that is met is one of the shortest. The visitor is told of each world
 * and each end once, as if there were only the last round; but for the order.
 */
export class Deepening {
  constructor(private readonly options: DeepeningOptions) {}

  *run(): Steps<void> {
    for (let known = 0; ;) {
      const eventsMax = Math.min(known + this.options.by, this.options.eventsMax);
      if (!(yield* this.round(eventsMax, known))) return;
      known = eventsMax;
    }
  }

  /** Says whether another one is needed. */
  private *round(eventsMax: number, known: number): Steps<boolean> {
    const { visitor } = this.options;
    let isCut = false;
    let isEnough = false;
    const goesOn = (answer: boolean | void): boolean => {
      isEnough = answer === false;
      return !isEnough;
    };
    const search = new Interleavings({
      ...this.options,
      eventsMax,
      known,
      visitor: {
        arrived: (session) => goesOn(visitor.arrived(session)),
        ended: (session, ending) => {
          if (ending !== 'bound' || eventsMax === this.options.eventsMax) return goesOn(visitor.ended(session, ending));
          isCut = true;
          return true;
        },
      },
    });
    yield* search.run();
    return isCut && !isEnough;
  }
}
