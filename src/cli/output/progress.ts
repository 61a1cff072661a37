import type { CheckProgress } from '../../check/report.ts';
import type { ExplainWhyProgress } from '../../explain/why/options.ts';
import type { MinimizeProgress } from '../../minimize/report.ts';
import { plural } from '../../text/plural.ts';
import type { ExecutionProgress } from '../../hunt/execution-progress.ts';
import type { SearchProgress } from '../../hunt/report.ts';
import { shown } from './output.ts';
import { withCommas } from '../../text/with-commas.ts';

/** The interval between lines if the output is not a terminal. */
const PLAIN_EVERY_MS = 10_000;

/** Shows progress: one changing line on a terminal, otherwise a plain line every now and then. */
export class Progress {
  private lastPlainMs = 0;
  private shown = false;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  show(line: string, elapsedMs: number): void {
    if (this.stream.isTTY) {
      // A line that wraps could not be erased.
      this.stream.write(`\r\u001b[K${shown(line).slice(0, this.stream.columns - 1)}`);
      this.shown = true;
    } else if (elapsedMs - this.lastPlainMs >= PLAIN_EVERY_MS) {
      this.lastPlainMs = elapsedMs;
      this.stream.write(`${shown(line)}\n`);
    }
  }

  /** Erases the line on a terminal. */
  end(): void {
    if (this.shown) this.stream.write('\r\u001b[K');
  }
}

export function huntingLine(progress: SearchProgress): string {
  const { executions, events, distinct, marks, marksReached, elapsedMs, executionsMax, secondsMax, execution } =
    progress;
  const perSecond = (count: number): string => withCommas(Math.round((count / elapsedMs) * 1000));
  const left = Math.max(
    0,
    Math.min(((executionsMax - executions) / executions) * elapsedMs, secondsMax * 1000 - elapsedMs),
  );
  const rate = execution?.round === undefined ? ` (${perSecond(executions)}/s)` : '';
  return [
    `hunting   ${plural(executions, 'execution')}${rate}`,
    // Of a long execution, its own progress says more than counts of many.
    ...(execution === undefined
      ? [`${perSecond(events)} events/s`, `${withCommas(distinct)} distinct`]
      : executionWords(execution, progress)),
    ...(marks === 0 ? [] : [`${marksReached} of ${marks} marks`]),
    ...(Number.isFinite(left) ? [`${Math.ceil(left / 1000)} s left`] : []),
  ].join(', ');
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

export function checkingLine(progress: CheckProgress): string {
  const { executions, executionsMax, secondsMax, plansDone, plans, share, elapsedMs } = progress;
  const perSecond = withCommas(Math.round((executions / elapsedMs) * 1000));
  const leftMs = Math.min(
    (elapsedMs * (1 - share)) / share,
    ((executionsMax - executions) / executions) * elapsedMs,
    secondsMax * 1000 - elapsedMs,
  );
  return [
    `checking  ${withCommas(executions)} executions (${perSecond}/s)`,
    ...(plans === 1 ? [] : [`${plansDone} of ${plans} plans`]),
    `about ${Math.min(99, Math.floor(share * 100))} %`,
    `${roughly(Math.max(0, leftMs) / 1000)} left`,
  ].join(', ');
}

/** A duration in a suitable unit, because it is an estimate. */
function roughly(seconds: number): string {
  if (seconds <= 120) return `${Math.ceil(seconds)} s`;
  if (seconds <= 7_200) return `${Math.ceil(seconds / 60)} min`;
  return seconds <= 1e8 ? `${withCommas(Math.ceil(seconds / 3600))} h` : 'years';
}

export function minimizingLine(progress: MinimizeProgress): string {
  const { pass, events, initialEvents, schedules, seconds, schedulesMax, secondsMax } = progress;
  const perSecond = withCommas(Math.round(schedules / seconds));
  const among = (limit: number): string => (limit === Number.POSITIVE_INFINITY ? '' : ` of ${withCommas(limit)}`);
  return [
    `minimize  ${withCommas(events)} of ${plural(initialEvents, 'event')}`,
    pass,
    `${withCommas(schedules)}${among(schedulesMax)} schedules (${perSecond}/s)`,
    `${Math.floor(seconds)}${among(secondsMax)} s`,
  ].join(', ');
}

export const explainingLine = ({ stage, executions }: ExplainWhyProgress): string =>
  `explain   ${stage === 'changes' ? 'trying changes' : 'sampling continuations'}, ${plural(executions, 'execution')}`;
