import { breather, type Steps } from '../../kernel/loop.ts';
import type { Random } from '../../kernel/random.ts';
import { movesAt } from './moves.ts';
import type { Onlooker } from './onlooker.ts';
import { begin, goOn, type Beginning } from './walk.ts';

export interface WalksOptions extends Beginning {
  readonly eventsMax: number;
  readonly walksMax: number;
  readonly random: Random;
  readonly visitor: Onlooker<'finished' | 'bound'>;
}

/** Random executions: whatever can happen next is equally likely. */
export class Walks {
  constructor(private readonly options: WalksOptions) {}

  /** Pauses after each execution, and now and then. */
  *run(): Steps<void> {
    for (let walks = 0; walks < this.options.walksMax; walks++) {
      if (!(yield* this.walk())) return;
      yield undefined;
    }
  }

  /** Says whether to go on with others. */
  private *walk(): Steps<boolean> {
    const { random, visitor, environment, eventsMax } = this.options;
    const rest = breather();
    for (let place = yield* begin(this.options); ;) {
      const { session } = place;
      if (visitor.arrived(session) === false) return false;
      const moves = movesAt(place, environment);
      if (moves.length === 0) return visitor.ended(session, 'finished');
      if (session.world.length >= eventsMax) return visitor.ended(session, 'bound');
      place = yield* goOn(place, random.pick(moves));
      yield* rest();
    }
  }
}
