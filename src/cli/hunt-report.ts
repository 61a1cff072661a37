import { doubts } from '../explain/doubts.ts';
import type { MinimizedSaved, NotMinimized, SavedTrace } from '../minimize-saved.ts';
import { plural } from '../plural.ts';
import type { Finding, SearchReport } from '../search.ts';
import type { SearchEnded } from '../search-ended.ts';
import { pointers, shownOf } from '../violation-found.ts';
import { printLines, printViolation } from './print.ts';
import { style } from './style.ts';
import { reproductionOf, summaryOf } from './summary.ts';

/** What a hunt did. */
export interface Hunted {
  readonly report: SearchReport;
  readonly kept: readonly Kept[];
  /** How long it looked. */
  readonly seconds: number;
  /** Why it could not go on. */
  readonly failure: SearchEnded | undefined;
}

/** A finding, the file it is in, and what came of minimising it, where that was tried. */
export interface Kept {
  readonly finding: Finding;
  readonly saved: SavedTrace;
  readonly minimized: MinimizedSaved | NotMinimized | undefined;
}

export function forPeople({ report, kept, seconds, failure }: Hunted): void {
  kept.forEach(printFinding);
  if (failure === undefined) printTotals(report, seconds.toFixed(1));
}

export function forMachines({ report, kept, seconds, failure }: Hunted): object {
  const { executions, unknown, whyUnknown, events, nextSeed, coverage } = report;
  const findings = kept.map(({ finding: { trace, strategy, executions: after }, saved, minimized }) => {
    const made = { seed: trace.header.seed, strategy, executions: after };
    return { ...summaryOf(saved), ...made, minimized: minimizedForMachines(minimized) };
  });
  const error = failure && { message: failure.message, next: failure.next, seed: failure.seed };
  return { findings, executions, unknown, whyUnknown, events, nextSeed, seconds, coverage, error };
}

function minimizedForMachines(minimized: Kept['minimized']): object | undefined {
  if (minimized === undefined || 'why' in minimized) return minimized;
  const { trace, path, schedules, seconds, certificate = null, others } = minimized;
  const known = { certificate, ...reproductionOf(minimized) };
  return { ...summaryOf({ trace, path }), schedules, seconds, ...known, others: others.map(summaryOf) };
}

function printFinding({ finding, saved, minimized }: Kept): void {
  const { trace, strategy, executions } = finding;
  const shown = shownOf(saved, minimized);
  const isNew = minimized !== undefined && 'before' in minimized && minimized.before === undefined;
  // What it took before is not known to the second.
  const { whyNot, reproduction } = shown;
  printViolation(shown.trace, { whyNot, reproduction, ...(isNew ? { seconds: minimized.seconds } : {}) });
  const found = `found     by seed ${trace.header.seed}, ${strategy}, after ${plural(executions, 'execution')}`;
  printLines(['', found, ...pointers(shown)]);
}

function printTotals(report: SearchReport, seconds: string): void {
  const { findings, executions, unknown, events } = report;
  const undecided = unknown === 0 ? '' : ` (of ${unknown} of them nobody knows)`;
  const tried = `${plural(executions, 'execution')}${undecided}, ${plural(events, 'event')}, ${seconds} s`;
  if (findings.length > 0) printLines([`tried     ${tried}`]);
  else {
    process.stdout.write(
      `${style.good('nothing')}   found in ${tried}\n` +
        `          That is no proof: other orders may still fail. Try more with --executions and --events.\n`,
    );
  }
  if (report.whyUnknown !== undefined) printLines([`unknown   ${report.whyUnknown}`]);
  printLines(doubts(report));
}
