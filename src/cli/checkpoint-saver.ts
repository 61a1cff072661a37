import type { SavedCheck } from '../check/checkpoint.ts';
import { FileProblem } from '../files/file-problem.ts';
import type { CheckpointFile } from './checkpoint-file.ts';
import { NotSaved } from './output/not-saved.ts';
import { complain, labeled } from './output/output.ts';

/** Keeps how far a check has come. A disk that takes nothing does not end the check: it is said at once, and in the end. */
export class Keeping {
  problem: FileProblem | undefined;
  private isTold = false;

  constructor(private readonly file: CheckpointFile) {}

  keep(check: SavedCheck | undefined): void {
    try {
      this.file.keep(check);
      this.problem = undefined;
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      this.problem = error;
      this.tell(error);
    }
  }

  /** What is left is lost otherwise. */
  mustBeKept(): void {
    if (this.problem !== undefined) throw new NotSaved(this.problem, 'The checkpoint is not saved.');
  }

  private tell({ message }: FileProblem): void {
    if (!this.isTold) complain(labeled('unsaved', `${message} The check continues.`));
    this.isTold = true;
  }
}
