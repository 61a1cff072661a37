import { TimeSlice, type Steps } from '../../kernel/loop.ts';
import { Random } from '../../kernel/data/random.ts';
import { transitionsAt } from './transitions.ts';
import type { SearchVisitor } from './visitor.ts';
import { begin, advance, type SearchStart } from './execute-prefix.ts';

export interface RandomWalksOptions extends SearchStart {
  readonly eventsMax: number;
  readonly walksMax: number;
  readonly random: Random;
  readonly visitor: SearchVisitor<'finished' | 'bound'>;
}

/** The number of walks, and the state of the random numbers, as JSON. */
export interface SavedRandomWalks {
  readonly walks: number;
  readonly random: string;
}

/** Random executions, in which every possible transition is equally likely. */
export class RandomWalks {
  /** Whether it pauses between two executions, and can be saved. */
  isBetween = false;
  private walks = 0;
  private random: Random;

  constructor(private readonly options: RandomWalksOptions) {
    this.random = options.random;
  }

  save(): SavedRandomWalks {
    return { walks: this.walks, random: this.random.position };
  }

  restore({ walks, random }: SavedRandomWalks): void {
    this.walks = walks;
    this.random = Random.at(random);
  }

  /** Pauses after each execution, and now and then. */
  *run(): Steps<void> {
    while (this.walks < this.options.walksMax) {
      if (!(yield* this.walk())) return;
      this.walks += 1;
      this.isBetween = true;
      yield undefined;
      this.isBetween = false;
    }
  }

  /** Returns whether to continue with other walks. */
  private *walk(): Steps<boolean> {
    const { visitor, environment, eventsMax } = this.options;
    const slice = new TimeSlice();
    for (let state = yield* begin(this.options); ;) {
      const { session } = state;
      if (visitor.arrived(session) === false) return false;
      const transitions = transitionsAt(state, environment);
      if (transitions.length === 0) return visitor.ended(session, 'finished');
      if (session.world.length >= eventsMax) return visitor.ended(session, 'bound');
      state = yield* advance(state, this.random.pick(transitions));
      if (slice.isOver()) yield undefined;
    }
  }
}
