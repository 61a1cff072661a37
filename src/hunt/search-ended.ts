import { CulpritError, nextAfter, problemOf } from '../error.ts';
import { blamed } from '../system/user-code.ts';
import type { SearchReport } from './report.ts';

/** A search failed. The report has everything that was found before. */
export class SearchEnded extends CulpritError {
  readonly code = 'SEARCH_ENDED';

  constructor(
    /** The findings and the coverage until the failure. */
    readonly report: SearchReport,
    /** The seed of the execution that failed, if one did. */
    readonly seed: number | undefined,
    thrown: unknown,
    /** Additional lines of the message. */
    lines: readonly string[] = [],
  ) {
    const cause = blamed(thrown);
    const next = nextAfter(cause, 'This looks like a bug in culprit: please report it.');
    super([`${seed === undefined ? '' : `seed ${seed}: `}${problemOf(cause)}`, ...lines].join('\n'), next, { cause });
  }
}
