import { CulpritError } from '../../error.ts';
import type { FileProblem } from '../../files/file-problem.ts';
import { withOtherFolder } from '../next-command.ts';

/** The results of a command were printed, but could not be saved. */
export class NotSaved extends CulpritError {
  readonly code = 'NOT_SAVED';

  constructor(problem: FileProblem, what: string) {
    super(`${problem.message} ${what}`, `Run it again with another folder: ${withOtherFolder(process.argv.slice(2))}`, {
      cause: problem,
    });
  }
}

/** Call this after all results are printed. */
export function mustBeSaved(problem: FileProblem | undefined): void {
  if (problem !== undefined) throw new NotSaved(problem, 'The result above is not saved.');
}
