import type { CheckReport } from './report.ts';
import { CulpritError, nextAfter, problemOf } from '../error.ts';
import { shellWord } from '../text/shell-word.ts';

/** A check could not go on. What it had found until then is in the report. */
export class CheckEnded extends CulpritError {
  readonly code = 'CHECK_ENDED';

  constructor(
    readonly report: CheckReport,
    cause: CulpritError,
  ) {
    super(problemOf(cause), nextAfter(cause, ''), { cause });
  }
}

/** Something does not return. Where worlds are copied, there is no one event to blame. */
export class CheckHangs extends CulpritError {
  readonly code = 'CHECK_HANGS';

  constructor(boundMs: number, module?: string) {
    super(
      `a handler, or a function that observes states, did not return within ${boundMs} ms.`,
      `To find out which one and at which event, run: culprit hunt ${module === undefined ? '<system>' : shellWord(module)}`,
    );
  }
}
