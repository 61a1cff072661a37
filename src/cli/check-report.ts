import type { CheckFinding, CheckReport, RefutedRule, EstimatedReduction } from '../check/report.ts';
import { INTERRUPTED } from '../check/soundness.ts';
import type { CheckEnded } from '../check/check-ended.ts';
import { plural } from '../text/plural.ts';
import type { SearchName } from '../check/searches.ts';
import { keptForMachines, printKept, type Kept } from './saved-findings.ts';
import { say } from './output/output.ts';
import { printLines } from './output/print.ts';
import { style } from './output/style.ts';

/** What a check did. */
export interface Checked {
  readonly search: SearchName;
  readonly report: CheckReport;
  readonly kept: readonly Kept<CheckFinding>[];
  /** Whether it was stopped before everything was explored. */
  readonly interrupted: boolean;
  readonly bounds: { readonly executions: number; readonly seconds: number | undefined };
  /** Where it is kept how far it has come, if anything is left. */
  readonly checkpoint: string | undefined;
  /** Why it could not go on. */
  readonly failure: CheckEnded | undefined;
}

/** What `forMachines` gives, for `--help`. */
export const JSON_FIELDS = `verdict, whyUnknown, assumptions, within (the bounds), leftOut, findings,
executions, redundant, cut, events, pruned (by policy), plans, plansDone, share (explored, estimated), claims, audited,
refuted, estimatedReductions (policies, executions, left), seconds, interrupted, executionsMax, checkpoint (the file, if the check is unfinished), and
error if the check failed`;

export function forMachines({ report, kept, interrupted, bounds, checkpoint, failure }: Checked): object {
  const findings = kept.map((one) => keptForMachines(one, { executions: one.finding.executions }));
  const error = failure && { message: failure.message, next: failure.next };
  return { ...report, findings, interrupted, executionsMax: bounds.executions, checkpoint, error };
}

export function forPeople(checked: Checked): void {
  const { search, report, kept, failure, interrupted } = checked;
  for (const one of kept) printKept(one, `after ${plural(one.finding.executions, 'execution')}`);
  report.refuted.forEach(printRefuted);
  if (failure !== undefined) return;
  if (report.verdict === 'holds')
    say([`${style.good('holds')}     no violation within these bounds: ${boundsOf(report)}`]);
  if (interrupted) printStopped(checked);
  else if (report.verdict === 'unknown') printUnknown(report);
  printLines([...exploredLines(report, search), ...trustLines(report)]);
}

function printUnknown(report: CheckReport): void {
  say([
    `${style.doubtful('unknown')}   no violation found; bounds: ${boundsOf(report)}`,
    ...report.whyUnknown.map((why, at) => `          ${at === 0 ? 'but' : 'and'} ${why}`),
  ]);
}

/** What was found before is above. Otherwise there is no result. */
function printStopped({ report, bounds }: Checked): void {
  const { executions, seconds, verdict, whyUnknown } = report;
  const count = `${executions.toLocaleString('en')} of at most ${plural(bounds.executions, 'execution')}`;
  const time = bounds.seconds === undefined ? '' : `, ${seconds.toFixed(1)} of ${Math.round(bounds.seconds)} s`;
  const found = verdict === 'violated' ? '' : ': no violation so far, so the verdict is unknown';
  printLines([
    `stopped   after ${count}${time}${found}`,
    `          bounds: ${boundsOf(report)}`,
    ...whyUnknown.filter((why) => !why.startsWith(INTERRUPTED)).map((why) => `          and ${why}`),
  ]);
}

/** In words; what there is nothing of is not mentioned one by one. */
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
  const vain = redundant === 0 ? '' : ` (${redundant.toLocaleString('en')} of them redundant)`;
  // These get to each world once.
  const steps = plural(events, search === 'worlds' || search === 'breadth' ? 'world' : 'event');
  const explored = `explored  ${plural(executions, 'execution')}${vain}, ${steps}, ${seconds.toFixed(1)} s`;
  const parts = [
    ...(plans === 1 ? [] : [`${plansDone} of ${plural(plans, 'fault plan')}`]),
    ...(plansDone === plans ? [] : [`about ${percent(share)} of all executions`]),
  ];
  // What is left after a violation is for the next check.
  return verdict === 'violated' || parts.length === 0 ? [explored] : [explored, `          ${parts.join(', ')}`];
}

/** Never all of it, where something is left. */
const percent = (share: number): string => `${Math.min(99, Math.floor(share * 100))} %`;

/** What was left out, and what that rests on. */
function trustLines({ pruned, assumptions, estimatedReductions, claims, audited, refuted }: CheckReport): string[] {
  return [
    ...estimatedReductions.map((one, at) => `${at === 0 ? 'estimate  ' : '          '}${estimateLine(one)}`),
    ...Object.entries(pruned).map(([policy, count]) => `pruned    ${plural(count, 'time')} by ${policy}`),
    ...assumptions.map((what, at) => `${at === 0 ? 'assumes   ' : '          '}${what}`),
    ...(claims === 0
      ? []
      : [
          `audited   ${audited.toLocaleString('en')} of ${plural(claims, 'independence claim')}, ${refuted.length} wrong`,
        ]),
  ];
}

function estimateLine({ policies, executions, left }: EstimatedReduction): string {
  const fewer = left === 0 ? '' : `: ${(executions / left).toFixed(1)} times fewer`;
  return `${policies.join(', ')} would leave ${left.toLocaleString('en')} of ${plural(executions, 'execution')}${fewer}`;
}

function printRefuted({ rule, events: [one, other], difference }: RefutedRule): void {
  say([
    `${style.bad('refuted')}   the rule for ${rule} says that the order of these two events does not matter, but it does:`,
    `            ${one}`,
    `            ${other}`,
    `          ${difference}`,
  ]);
}
