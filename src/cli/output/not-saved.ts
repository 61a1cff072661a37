import { CulpritError } from '../../error.ts';
import type { FileProblem } from '../../files/file-problem.ts';
import { goOnElsewhere } from '../resume.ts';

/** What a command has found is told, and in no file. */
export class NotSaved extends CulpritError {
  readonly code = 'NOT_SAVED';

  constructor(problem: FileProblem, what: string) {
    super(`${problem.message} ${what}`, `Run it again with another folder: ${goOnElsewhere(process.argv.slice(2))}`, {
      cause: problem,
    });
  }
}

/** After everything is told. */
export function mustBeSaved(problem: FileProblem | undefined): void {
  if (problem !== undefined) throw new NotSaved(problem, 'The result above is not saved.');
}
