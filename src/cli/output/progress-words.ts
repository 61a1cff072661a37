import type { CheckProgress } from '../../check/report.ts';
import type { ExplainWhyProgress } from '../../explain/why/options.ts';
import type { ExecutionProgress } from '../../hunt/execution-progress.ts';
import type { SearchProgress } from '../../hunt/report.ts';
import type { MinimizeProgress } from '../../minimize/report.ts';
import { plural } from '../../text/plural.ts';
import { withCommas } from '../../text/with-commas.ts';
import type { FleetProgress } from '../../workers/pool.ts';

/** What a command is doing, in words. */
export interface Doing {
  readonly label: string;
  /** The share for the bar, from 0 to 1. */
  readonly share?: number;
  /** The most important part first: the last ones are left out where they do not fit. */
  readonly parts: readonly string[];
}

export function hunting(progress: SearchProgress): Doing {
  const { executions, executionsMax, secondsMax, events, distinct, found, marks, marksReached, elapsedMs, execution } =
    progress;
  const perSecond = (count: number): string => withCommas(Math.round((count / elapsedMs) * 1000));
  const share = Math.min(1, Math.max(executions / executionsMax, elapsedMs / (secondsMax * 1000)));
  const rate = execution?.round === undefined ? ` (${perSecond(executions)}/s)` : '';
  // Of a long execution, its own progress says more than counts of many.
  const own = execution === undefined ? [] : executionWords(execution, progress);
  const counts = execution === undefined ? [`${withCommas(distinct)} distinct`, `${perSecond(events)} events/s`] : [];
  return {
    label: 'hunting',
    share,
    parts: [
      ...timeWords(share, elapsedMs, `${found} found`),
      ...fleetWords(progress.fleet),
      ...own.slice(0, 1),
      `${plural(executions, 'execution')}${rate}`,
      ...own.slice(1),
      ...(marks === 0 ? [] : [`${marksReached} of ${marks} marks`]),
      ...counts,
    ],
  };
}

/** `round 34 of 100, 12 inputs, 410 messages/s`: of the execution under way, or the last one. */
function executionWords(execution: ExecutionProgress, { executions, elapsedMs }: SearchProgress): string[] {
  const { round, rounds, inputs, messages } = execution;
  // Without a clock of its own, it took as long as others.
  const tookMs = execution.elapsedMs ?? elapsedMs / Math.max(1, executions);
  const perSecond = tookMs > 0 ? Math.round((messages / tookMs) * 1000) : 0;
  return [
    ...(round === undefined || rounds === undefined ? [] : [`round ${round} of ${rounds}`]),
    plural(inputs, 'input'),
    `${withCommas(perSecond)} messages/s`,
  ];
}

export function checking(progress: CheckProgress): Doing {
  const { executions, executionsMax, secondsMax, plansDone, plans, found, elapsedMs } = progress;
  const perSecond = withCommas(Math.round((executions / elapsedMs) * 1000));
  const share = Math.max(progress.share, executions / executionsMax, elapsedMs / (secondsMax * 1000));
  return {
    label: 'checking',
    share,
    parts: [
      ...timeWords(share, elapsedMs, `${found} found`),
      ...fleetWords(progress.fleet),
      `${withCommas(executions)} executions (${perSecond}/s)`,
      ...(plans === 1 ? [] : [`${plansDone} of ${plans} plans`]),
    ],
  };
}

/** `3 workers, 128 jobs`: the number of jobs that are done. */
function fleetWords(fleet: FleetProgress | undefined): string[] {
  if (fleet === undefined) return [];
  const { workers, jobsDone } = fleet;
  return [workers === 0 ? 'waits for a worker' : plural(workers, 'worker'), plural(jobsDone, 'job')];
}

/** `42 %, 0 found, 12 s, about 17 s left` */
function timeWords(share: number, elapsedMs: number, found: string): string[] {
  const leftMs = (elapsedMs * (1 - share)) / share;
  return [
    `${Math.min(99, Math.floor(share * 100))} %`,
    found,
    duration(elapsedMs / 1000),
    ...(Number.isFinite(leftMs) ? [`about ${duration(leftMs / 1000)} left`] : []),
  ];
}

/** A duration in a suitable unit, because it may be an estimate. */
function duration(seconds: number): string {
  if (seconds <= 120) return `${Math.ceil(seconds)} s`;
  if (seconds <= 7_200) return `${Math.ceil(seconds / 60)} min`;
  return seconds <= 1e8 ? `${withCommas(Math.ceil(seconds / 3600))} h` : 'years';
}

/** The bar shows the events that are left. */
export function minimizing(progress: MinimizeProgress): Doing {
  const { pass, events, initialEvents, schedules, seconds, schedulesMax, secondsMax } = progress;
  const perSecond = withCommas(Math.round(schedules / seconds));
  const among = (limit: number): string =>
    limit === Number.POSITIVE_INFINITY ? '' : ` of at most ${withCommas(limit)}`;
  return {
    label: 'minimize',
    share: events / initialEvents,
    parts: [
      `${withCommas(events)} of ${plural(initialEvents, 'event')} left`,
      `${Math.floor(seconds)}${among(secondsMax)} s`,
      pass,
      `${withCommas(schedules)}${among(schedulesMax)} schedules (${perSecond}/s)`,
    ],
  };
}

export const explaining = ({ stage, executions }: ExplainWhyProgress): Doing => ({
  label: 'explain',
  parts: [stage === 'changes' ? 'trying changes' : 'sampling continuations', plural(executions, 'execution')],
});
