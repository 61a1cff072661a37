import type { CheckFinding, CheckReport, RefutedRule, EstimatedReduction } from '../check/report.ts';
import { INTERRUPTED } from '../check/soundness.ts';
import type { CheckEnded } from '../check/check-ended.ts';
import { plural } from '../text/plural.ts';
import type { SearchName } from '../check/searches.ts';
import { findingJson, printFinding, type ReportedFinding } from './finding-output.ts';
import { printLines } from './output/lines.ts';
import { withCommas } from '../text/with-commas.ts';

/** The result of a check. */
export interface Checked {
  readonly search: SearchName;
  readonly report: CheckReport;
  readonly findings: readonly ReportedFinding<CheckFinding>[];
  /** Whether a signal came before everything was explored. */
  readonly interrupted: boolean;
  readonly bounds: { readonly executions: number; readonly seconds: number | undefined };
  /** The file of the checkpoint, if the check is unfinished. */
  readonly checkpoint: string | undefined;
  /** Why the check ended early. */
  readonly failure: CheckEnded | undefined;
}

/** The fields of `reportJson`, for `--help`. */
export const JSON_FIELDS = `report, format (its version), verdict, whyUnknown, assumptions, within (the bounds), leftOut, findings,
executions, redundant, cut, events, pruned (by policy), plans, plansDone, share (explored, estimated), claims, audited,
refuted, estimatedReductions (policies, executions, left), seconds, interrupted, executionsMax, checkpoint (the file, if the check is unfinished), and
error if the check failed`;

export function reportJson({ report, findings, interrupted, bounds, checkpoint, failure }: Checked): object {
  const found = findings.map((one) => findingJson(one, { executions: one.finding.executions }));
  const error = failure && { message: failure.message, next: failure.next };
  return { ...report, findings: found, interrupted, executionsMax: bounds.executions, checkpoint, error };
}

export function printReport(checked: Checked): void {
  const { search, report, findings, failure, interrupted } = checked;
  for (const one of findings) printFinding(one, `after ${plural(one.finding.executions, 'execution')}`);
  report.refuted.forEach(printRefuted);
  if (failure !== undefined) return;
  if (report.verdict === 'holds') printLines([`holds     no violation within these bounds: ${boundsOf(report)}`]);
  if (interrupted) printStopped(checked);
  else if (report.verdict === 'unknown') printUnknown(report);
  printLines([...exploredLines(report, search), ...trustLines(report)]);
}

function printUnknown(report: CheckReport): void {
  printLines([
    `unknown   no violation found; bounds: ${boundsOf(report)}`,
    ...report.whyUnknown.map((why, at) => `          ${at === 0 ? 'but' : 'and'} ${why}`),
  ]);
}

/** Violations have been printed already. Without one, the verdict is unknown. */
function printStopped({ report, bounds }: Checked): void {
  const { executions, seconds, verdict, whyUnknown } = report;
  const count = `${withCommas(executions)} of at most ${plural(bounds.executions, 'execution')}`;
  const time = bounds.seconds === undefined ? '' : `, ${seconds.toFixed(1)} of ${Math.round(bounds.seconds)} s`;
  const found = verdict === 'violated' ? '' : ': no violation so far, so the verdict is unknown';
  printLines([
    `stopped   after ${count}${time}${found}`,
    `          bounds: ${boundsOf(report)}`,
    ...whyUnknown.filter((why) => !why.startsWith(INTERRUPTED)).map((why) => `          and ${why}`),
  ]);
}

/** The bounds in words. Fault kinds with a budget of 0 are left out. */
function boundsOf({ within, leftOut }: CheckReport): string {
  const { crashes, restarts, partitions, events, seed } = within;
  const counted: [number, string][] = [
    [crashes, crashes === 1 ? 'crash' : 'crashes'],
    [restarts, restarts === 1 ? 'restart' : 'restarts'],
    [partitions, partitions === 1 ? 'partition' : 'partitions'],
  ];
  const faults = counted.filter(([count]) => count > 0).map(([count, noun]) => `${count} ${noun}`);
  return [
    ...(faults.length === 0 ? ['no faults'] : faults),
    ...leftOut.map((fault) => `no ${fault}, although the system declares them`),
    plural(events, 'event'),
    ...(seed === undefined ? [] : [`the workload of seed ${seed}`]),
  ].join(', ');
}

function exploredLines(report: CheckReport, search: SearchName): string[] {
  const { verdict, executions, redundant, events, seconds, plans, plansDone, share } = report;
  const vain = redundant === 0 ? '' : ` (${withCommas(redundant)} of them redundant)`;
  // These searches visit each world once.
  const steps = plural(events, search === 'worlds' || search === 'breadth' ? 'world' : 'event');
  const explored = `explored  ${plural(executions, 'execution')}${vain}, ${steps}, ${seconds.toFixed(1)} s`;
  const parts = [
    ...(plans === 1 ? [] : [`${plansDone} of ${plural(plans, 'fault plan')}`]),
    ...(plansDone === plans ? [] : [`about ${percent(share)} of all executions`]),
  ];
  // After a violation, the rest is left to the next check.
  return verdict === 'violated' || parts.length === 0 ? [explored] : [explored, `          ${parts.join(', ')}`];
}

/** Never 100 %, because something is unexplored. */
const percent = (share: number): string => `${Math.min(99, Math.floor(share * 100))} %`;

/** The reductions that pruned executions, and the assumptions that they rest on. */
function trustLines({ pruned, assumptions, estimatedReductions, claims, audited, refuted }: CheckReport): string[] {
  return [
    ...estimatedReductions.map((one, at) => `${at === 0 ? 'estimate  ' : '          '}${estimateLine(one)}`),
    ...Object.entries(pruned).map(([policy, count]) => `pruned    ${plural(count, 'time')} by ${policy}`),
    ...assumptions.map((what, at) => `${at === 0 ? 'assumes   ' : '          '}${what}`),
    ...(claims === 0
      ? []
      : [`audited   ${withCommas(audited)} of ${plural(claims, 'independence claim')}, ${refuted.length} wrong`]),
  ];
}

function estimateLine({ policies, executions, left }: EstimatedReduction): string {
  const fewer = left === 0 ? '' : `: ${(executions / left).toFixed(1)} times fewer`;
  return `${policies.join(', ')} would leave ${withCommas(left)} of ${plural(executions, 'execution')}${fewer}`;
}

function printRefuted({ rule, events: [one, other], difference }: RefutedRule): void {
  printLines([
    `refuted   the rule for ${rule} says that the order of these two events does not matter, but it does:`,
    `            ${one}`,
    `            ${other}`,
    `          ${difference}`,
  ]);
}
