import { coverageLines } from '../coverage/coverage-lines.ts';
import { plural } from '../text/plural.ts';
import type { Finding, SearchReport } from '../hunt/report.ts';
import type { SearchEnded } from '../hunt/search-ended.ts';
import { keptForMachines, printKept, type Kept } from './saved-findings.ts';
import { say } from './output/output.ts';
import { printLines } from './output/print.ts';
import { style } from './output/style.ts';

/** What a hunt did. */
export interface Hunted {
  readonly report: SearchReport;
  readonly kept: readonly Kept<Finding>[];
  /** How long it looked. */
  readonly seconds: number;
  /** Why it could not go on. */
  readonly failure: SearchEnded | undefined;
  readonly bounds: { readonly executions: number; readonly seconds: number | undefined; readonly violations: number };
  /** Whether it was stopped before its bounds were met. */
  readonly interrupted: boolean;
}

export function forPeople(hunted: Hunted): void {
  const { kept, failure, interrupted, report } = hunted;
  kept.forEach(printFinding);
  if (failure !== undefined) return;
  if (interrupted) printStopped(hunted);
  else printTotals(hunted);
  if (report.whyUnknown !== undefined) printLines([`unknown   ${report.whyUnknown}`]);
  printLines(coverageLines(report));
}

export function forMachines({ report, kept, seconds, failure, bounds, interrupted }: Hunted): object {
  const { executions, unknown, whyUnknown, events, nextSeed, coverage } = report;
  const findings = kept.map((one) => {
    const { trace, strategy, executions: after } = one.finding;
    return keptForMachines(one, { seed: trace.header.seed, strategy, executions: after });
  });
  const error = failure && { message: failure.message, next: failure.next, seed: failure.seed };
  const spent = { executions, executionsMax: bounds.executions, unknown, whyUnknown, events, nextSeed, seconds };
  return { findings, interrupted, ...spent, coverage, error };
}

function printFinding(kept: Kept<Finding>): void {
  const { trace, strategy, executions } = kept.finding;
  printKept(kept, `by seed ${trace.header.seed}, ${strategy}, after ${plural(executions, 'execution')}`);
}

/** A hunt that was stopped has no result: what it had not tried may fail. */
function printStopped({ report, seconds, bounds }: Hunted): void {
  const { findings, executions, events } = report;
  const count = `${executions.toLocaleString('en')} of ${plural(bounds.executions, 'execution')}${undecided(report)}`;
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
    say([
      `${style.good('nothing')}   found in ${tried}`,
      '          This is no proof: other orders may still fail. Raise --executions and --events to try more.',
    ]);
  }
}
