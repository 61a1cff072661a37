import { chanceOfNew, coverageLines, nothingFoundLines, statsLines } from '../coverage/coverage-lines.ts';
import { plural } from '../text/plural.ts';
import type { Finding, SearchReport } from '../hunt/report.ts';
import type { SearchEnded } from '../hunt/search-ended.ts';
import { findingJson, printFinding, type ReportedFinding } from './finding-output.ts';
import { printLines } from './output/lines.ts';
import { shellWord } from '../text/shell-word.ts';
import { withCommas } from '../text/with-commas.ts';

/** The result of a hunt. */
export interface Hunted {
  readonly report: SearchReport;
  readonly findings: readonly ReportedFinding<Finding>[];
  /** The duration of the search. */
  readonly seconds: number;
  /** Why the hunt ended early. */
  readonly failure: SearchEnded | undefined;
  readonly bounds: { readonly executions: number; readonly seconds: number | undefined; readonly violations: number };
  /** Whether a signal came before a bound was reached. */
  readonly interrupted: boolean;
  /** The file of an execution to look at, if nothing was found. */
  readonly example: string | undefined;
}

export function printReport(hunted: Hunted, hasStats: boolean): void {
  const { findings, failure, interrupted, report, example } = hunted;
  for (const one of findings) printFinding(one, howFound(one.finding));
  if (failure !== undefined) return;
  if (interrupted) printStopped(hunted);
  else printTotals(hunted);
  if (report.whyUnknown !== undefined) printLines([`unknown   ${report.whyUnknown}`]);
  printLines(sessionLines(report));
  const [coverage = '', ...doubts] = coverageLines(report);
  const isWithoutFinding = findings.length === 0 && report.executions > 0;
  printLines([coverage, ...(isWithoutFinding ? nothingFoundLines(report.executions, report.coverage) : []), ...doubts]);
  if (hasStats) printLines(statsLines(report.coverage));
  if (example !== undefined) printLines([`example   npx culprit view ${shellWord(example)}`]);
}

export function reportJson({ report, findings, seconds, failure, bounds, interrupted, example }: Hunted): object {
  const { executions, unknown, whyUnknown, events, nextSeed, coverage, control, abandoned } = report;
  const found = findings.map((one) => {
    const { trace, strategy, executions: after, without } = one.finding;
    return findingJson(one, { seed: trace.header.seed, strategy, executions: after, without });
  });
  const { neverReady } = report;
  const error = failure
    ? { message: failure.message, next: failure.next, seed: failure.seed }
    : neverReady && { message: neverReady.message, next: neverReady.next };
  const chance = executions === 0 ? {} : { chanceOfNew: chanceOfNew(executions, coverage) };
  const spent = { executions, executionsMax: bounds.executions, unknown, whyUnknown, events, nextSeed, seconds };
  return { findings: found, interrupted, ...spent, control, abandoned, coverage, ...chance, example, error };
}

const howFound = ({ trace, strategy, executions, without }: Finding): string =>
  without === undefined ? bySeed(trace, strategy, executions) : `in a control execution: it needs ${without}`;

const bySeed = (trace: Finding['trace'], strategy: string, executions: number): string =>
  `by seed ${trace.header.seed}, ${strategy}, after ${plural(executions, 'execution')}`;

/** Where processes act by themselves: the control executions, and those that were ended early. */
function sessionLines({ control, abandoned = 0 }: SearchReport): string[] {
  const { executions = 0, violated = 0, unknown = 0 } = control ?? {};
  const verdicts = `${violated === 0 ? 'none' : violated} violated${unknown === 0 ? '' : `, ${unknown} unknown`}`;
  return [
    ...(executions === 0 ? [] : [`control   ${plural(executions, 'execution')} without faults or inputs: ${verdicts}`]),
    ...(abandoned === 0
      ? []
      : [`wasted    ${plural(abandoned, 'execution')} under way when an earlier seed had the answer`]),
  ];
}

/** A hunt that was stopped has no verdict: executions that it did not try may fail. */
function printStopped({ report, seconds, bounds }: Hunted): void {
  const { findings, executions, events } = report;
  const count = `${withCommas(executions)} of ${plural(bounds.executions, 'execution')}${undecided(report)}`;
  const time = `${seconds.toFixed(1)}${bounds.seconds === undefined ? '' : ` of ${bounds.seconds}`} s`;
  const found =
    findings.length === 0
      ? 'no violation so far, so the verdict is unknown'
      : `${findings.length} of ${plural(bounds.violations, 'violation')} found so far`;
  printLines([`stopped   after ${count}, ${plural(events, 'event')}, ${time}: ${found}`]);
}

const undecided = ({ unknown }: SearchReport): string => (unknown === 0 ? '' : ` (${unknown} with an unknown verdict)`);

function printTotals({ report, seconds }: Hunted): void {
  const { findings, executions, events } = report;
  const time = `${seconds.toFixed(1)} s`;
  const tried = `${plural(executions, 'execution')}${undecided(report)}, ${plural(events, 'event')}, ${time}`;
  if (findings.length > 0) printLines([`tried     ${tried}`]);
  else {
    printLines([
      `nothing   found in ${tried}`,
      '          This is no proof: other orders may still fail. Raise --executions and --events to try more.',
    ]);
  }
}
