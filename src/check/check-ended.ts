import type { CheckReport } from './report.ts';
import { CulpritError, nextAfter, problemOf } from '../error.ts';
import { shellWord } from '../text/shell-word.ts';

/** A check failed. The report has everything that was found before. */
export class CheckEnded extends CulpritError {
  readonly code = 'CHECK_ENDED';

  constructor(
    /** The result up to then, with the findings that were made. */
    readonly report: CheckReport,
    cause: CulpritError,
  ) {
    super(problemOf(cause), nextAfter(cause, ''), { cause });
  }
}

/** Code of the system does not return. Because worlds are copied, the check cannot name the event. */
export class CheckHangs extends CulpritError {
  readonly code = 'CHECK_HANGS';

  constructor(boundMs: number, module?: string) {
    super(
      `a handler, or a function that observes states, did not return within ${boundMs} ms.`,
      `To find out which one and at which event, run: culprit hunt ${module === undefined ? '<system>' : shellWord(module)}`,
    );
  }
}
