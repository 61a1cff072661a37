import type { Steps } from '../../kernel/loop.ts';
import { DepthFirst, type DepthFirstOptions, type SavedDepthFirst } from './depth-first.ts';

export interface DeepeningOptions extends Omit<DepthFirstOptions, 'known'> {
  /** The number of events by which executions grow from round to round. */
  readonly by: number;
}

/** The current round, as JSON. */
export interface SavedDeepening {
  readonly known: number;
  readonly isCut: boolean;
  readonly round: SavedDepthFirst;
}

/**
 * Iterative deepening: explores every order of events in rounds, in which executions may be longer and longer. With
 * steps of one event, the first violation is one of the shortest. The visitor gets each world and each end once, as if
 * there were only the last round, but in another order.
 */
export class Deepening {
  /** Worlds with fewer events than this were visited in earlier rounds. */
  private known = 0;
  /** Whether this round cut off executions. */
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

  /** The maximum number of events in this round. */
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
