import type { Steps } from '../../kernel/loop.ts';
import { DepthFirst, type DepthFirstOptions, type SavedDepthFirst } from './depth-first.ts';

export interface DeepeningOptions extends Omit<DepthFirstOptions, 'known'> {
  /** By how many events executions get longer from round to round. */
  readonly by: number;
}

/** The round under way, as JSON. */
export interface SavedDeepening {
  readonly known: number;
  readonly isCut: boolean;
  readonly round: SavedDepthFirst;
}

/**
 * Every order in which things can happen, those that differ early first: again and again, and each time executions may be
 * longer. With steps of one event, the first violation that is met is one of the shortest. The visitor gets each world
 * and each end once, as if there were only the last round; but for the order.
 */
export class Deepening {
  /** What comes of worlds of fewer events than this was told in earlier rounds. */
  private known = 0;
  /** Whether executions would have gone on, in this round. */
  private isCut = false;
  private isEnough = false;
  private round: DepthFirst | undefined;

  constructor(private readonly options: DeepeningOptions) {}

  /** Whether it pauses between two executions, and can be saved. */
  get isBetween(): boolean {
    return this.round?.isBetween === true;
  }

  save(): SavedDeepening {
    const { known, isCut, round } = this;
    return { known, isCut, round: round?.save() ?? { frames: [] } };
  }

  *restore({ known, isCut, round }: SavedDeepening): Steps<void> {
    this.known = known;
    this.isCut = isCut;
    this.round = this.nextRound();
    yield* this.round.restore(round);
  }

  *run(): Steps<void> {
    for (;;) {
      this.round ??= this.nextRound();
      yield* this.round.run();
      if (!this.isCut || this.isEnough) return;
      this.known = this.eventsMax;
      this.isCut = false;
      this.round = undefined;
    }
  }

  /** How long executions of this round may be. */
  private get eventsMax(): number {
    return Math.min(this.known + this.options.by, this.options.eventsMax);
  }

  private nextRound(): DepthFirst {
    const { visitor } = this.options;
    const { known, eventsMax } = this;
    const goesOn = (answer: boolean | void): boolean => {
      this.isEnough = answer === false;
      return !this.isEnough;
    };
    return new DepthFirst({
      ...this.options,
      eventsMax,
      known,
      visitor: {
        arrived: (session) => goesOn(visitor.arrived(session)),
        ended: (session, ending) => {
          if (ending !== 'bound' || eventsMax === this.options.eventsMax) return goesOn(visitor.ended(session, ending));
          this.isCut = true;
          return true;
        },
      },
    });
  }
}
