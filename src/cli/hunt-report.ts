import { doubts } from '../explain/doubts.ts';
import { plural } from '../plural.ts';
import type { Finding, SearchReport } from '../search.ts';
import type { SearchEnded } from '../search-ended.ts';
import { keptForMachines, printKept, type Kept } from './kept.ts';
import { say } from './output.ts';
import { printLines } from './print.ts';
import { style } from './style.ts';

/** What a hunt did. */
export interface Hunted {
  readonly report: SearchReport;
  readonly kept: readonly Kept<Finding>[];
  /** How long it looked. */
  readonly seconds: number;
  /** Why it could not go on. */
  readonly failure: SearchEnded | undefined;
}

export function forPeople({ report, kept, seconds, failure }: Hunted): void {
  kept.forEach(printFinding);
  if (failure === undefined) printTotals(report, seconds.toFixed(1));
}

export function forMachines({ report, kept, seconds, failure }: Hunted): object {
  const { executions, unknown, whyUnknown, events, nextSeed, coverage } = report;
  const findings = kept.map((one) => {
    const { trace, strategy, executions: after } = one.finding;
    return keptForMachines(one, { seed: trace.header.seed, strategy, executions: after });
  });
  const error = failure && { message: failure.message, next: failure.next, seed: failure.seed };
  return { findings, executions, unknown, whyUnknown, events, nextSeed, seconds, coverage, error };
}

function printFinding(kept: Kept<Finding>): void {
  const { trace, strategy, executions } = kept.finding;
  printKept(kept, `by seed ${trace.header.seed}, ${strategy}, after ${plural(executions, 'execution')}`);
}

function printTotals(report: SearchReport, seconds: string): void {
  const { findings, executions, unknown, events } = report;
  const undecided = unknown === 0 ? '' : ` (of ${unknown} of them nobody knows)`;
  const tried = `${plural(executions, 'execution')}${undecided}, ${plural(events, 'event')}, ${seconds} s`;
  if (findings.length > 0) printLines([`tried     ${tried}`]);
  else {
    say([
      `${style.good('nothing')}   found in ${tried}`,
      '          That is no proof: other orders may still fail. Try more with --executions and --events.',
    ]);
  }
  if (report.whyUnknown !== undefined) printLines([`unknown   ${report.whyUnknown}`]);
  printLines(doubts(report));
}
