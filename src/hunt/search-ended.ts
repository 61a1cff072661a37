import { CulpritError, nextAfter, problemOf } from '../error.ts';
import { blamed } from '../system/user-code.ts';
import type { SearchReport } from './report.ts';

/** A search could not go on. What it had found until then is in the report. */
export class SearchEnded extends CulpritError {
  readonly code = 'SEARCH_ENDED';

  constructor(
    /** What was found, and seen, before. */
    readonly report: SearchReport,
    /** The seed of the execution that could not be finished, where it was one. */
    readonly seed: number | undefined,
    thrown: unknown,
    /** More to say. */
    lines: readonly string[] = [],
  ) {
    const cause = blamed(thrown);
    const next = nextAfter(cause, 'This looks like a bug in culprit: please report it.');
    super([`${seed === undefined ? '' : `seed ${seed}: `}${problemOf(cause)}`, ...lines].join('\n'), next, { cause });
  }
}
