import { hasProc } from './proc.ts';
import { doesPoll, idleLooks, type IdleLooks } from './idle-looks.ts';
import { quietWithin, type Watched } from './quiescence.ts';

/** How long a program may take to finish its reaction before culprit stops waiting for it. */
const REACTION_MS = 2_000;

/** The same after the settle time of a program that polls: one that spins never sleeps. */
const POLLING_MS = 100;

/** How culprit finds out that a program has finished a reaction, as `doctor` reports it. */
export type ReactionFacts =
  /** No program has run yet. */
  | { readonly by: 'nothing yet' }
  /** Its threads were looked at. */
  | ({ readonly by: 'looks'; readonly reactions: number; readonly late: number } & IdleLooks)
  /** It got a fixed time. */
  | { readonly by: 'settle time'; readonly because: 'no /proc' | 'not direct' }
  | ({ readonly by: 'settle time'; readonly because: 'polls' } & IdleLooks);

/** The reactions of the programs of one command, in all executions of this thread. */
export class Reactions {
  /** Looks at an idle program: made once. */
  private known: IdleLooks | undefined;
  private reactions = 0;
  private late = 0;

  /** `isDirect`: looks at the threads of the program say when it has finished. */
  constructor(private readonly isDirect: boolean) {}

  get facts(): ReactionFacts {
    if (!this.isDirect) return { by: 'settle time', because: 'not direct' };
    if (!hasProc) return { by: 'settle time', because: 'no /proc' };
    if (this.known === undefined) return { by: 'nothing yet' };
    if (doesPoll(this.known)) return { by: 'settle time', because: 'polls', ...this.known };
    return { by: 'looks', reactions: this.reactions, late: this.late, ...this.known };
  }

  /** Looks whether the program polls, unless that is known. */
  async examine(program: Watched & { readonly hasExited: boolean }): Promise<void> {
    if (!this.isDirect || !hasProc || this.known !== undefined) return;
    const idle = await idleLooks(program);
    // The looks at a program that ended meanwhile say nothing about others.
    if (!program.hasExited) this.known = idle;
  }

  /** Waits until the program has finished its reaction. `settle` waits for the time that such a program gets if only time can tell. */
  async over(program: Watched, settle: () => Promise<void>): Promise<void> {
    const { facts } = this;
    if (facts.by === 'looks') {
      this.reactions += 1;
      if (!(await quietWithin(program, REACTION_MS))) this.late += 1;
      return;
    }
    await settle();
    // On a busy machine, a program that polls may need more than its time: it is not over as long as its threads run.
    if (facts.by === 'settle time' && facts.because === 'polls') await quietWithin(program, POLLING_MS);
  }
}
