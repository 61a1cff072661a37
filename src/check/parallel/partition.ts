import type { SavedPlan } from '../checkpoint.ts';
import type { SavedRaceReversal } from '../search/race-reversal.ts';
import { Subtrees, type Explored, type Subtree } from './subtrees.ts';
import type { SavedExplorationStack } from '../search/saved.ts';
import { PlanTally } from '../plan-tally.ts';
import type { Job, JobResult } from './job.ts';

/**
 * The unexplored rest of one fault plan: subtrees, or a search that cannot be divided; undefined if nothing has been
 * explored.
 */
export class Partition {
  private left: Subtrees | SavedRaceReversal | undefined;
  /** The abstractions that heuristics have seen, policy by policy. */
  private seen: readonly (readonly string[])[];
  /** The pieces that are being explored. */
  private handedOut: readonly Subtree[] = [];
  isDone: boolean;

  constructor({ isDone, exploration, seen }: SavedPlan) {
    this.isDone = isDone;
    this.seen = seen;
    if (exploration === undefined || 'queues' in exploration) this.left = exploration;
    // Workers share no other search.
    else
      this.left =
        'pieces' in exploration ? Subtrees.restored(exploration) : Subtrees.of(exploration as SavedExplorationStack);
  }

  get share(): number {
    if (this.isDone) return 1;
    return this.left instanceof Subtrees ? this.left.share : 0;
  }

  save(): Pick<SavedPlan, 'seen' | 'exploration'> {
    const exploration = this.left instanceof Subtrees ? this.left.save() : this.left;
    return { seen: this.seen, ...(exploration === undefined ? {} : { exploration }) };
  }

  /** Starts over, because oracles have read more than was known. */
  startOver(): void {
    if (this.isDone) return;
    this.left = undefined;
    this.seen = [];
  }

  /** All pieces that can be explored at the same time, in order. */
  handOut(): Pick<Job, 'saved' | 'proposals'>[] {
    if (this.isDone) return [];
    const { left } = this;
    const part = { ...new PlanTally().save(), seen: this.seen };
    if (left === undefined) return [{ saved: part, proposals: [] }];
    if (!(left instanceof Subtrees)) return [{ saved: { ...part, exploration: left }, proposals: [] }];
    this.handedOut = left.ready;
    return this.handedOut.map((piece) => {
      const { saved, proposals } = left.handOut(piece);
      return { saved: { ...part, exploration: saved }, proposals };
    });
  }

  /** Takes the results of all pieces that were handed out, in the same order. */
  takeBack(done: readonly JobResult[]): void {
    this.seen = united([this.seen, ...done.map(({ saved }) => saved.seen)]);
    if (this.left instanceof Subtrees)
      this.left.takeBack(done.map((one, at) => [this.handedOut[at] as Subtree, left(one)]));
    else for (const one of done) this.takeWhole(one);
    if (this.left instanceof Subtrees) this.isDone = this.left.isDone;
  }

  private takeWhole(done: JobResult): void {
    const { exploration, isDone } = done.saved;
    if (isDone) this.isDone = true;
    else if (exploration === undefined || 'queues' in exploration) this.left = exploration;
    else {
      const pieces = (this.left = Subtrees.of(exploration as SavedExplorationStack));
      pieces.takeBack(pieces.ready.map((piece) => [piece, left(done)]));
    }
  }
}

const left = ({ saved, divideAt, proposals }: JobResult): Explored => ({
  saved: saved.exploration as SavedExplorationStack,
  proposals,
  ...(divideAt === undefined ? {} : { divideAt }),
});

/** The union for each policy. */
function united(all: readonly (readonly (readonly string[])[])[]): string[][] {
  const policies = Math.max(...all.map(({ length }) => length));
  return Array.from({ length: policies }, (_, at) => [...new Set(all.flatMap((seen) => seen[at] ?? []))]);
}
