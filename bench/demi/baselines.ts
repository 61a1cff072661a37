import { minimize } from 'culprit';
import { pipelineNames, type PipelineName } from 'culprit/kernel';
import { columns, exact } from '../table.ts';
import { median } from '../timing.ts';
import { byBug } from './by-bug.ts';
import type { Failure } from './failures.ts';
import { onFailures } from './on-failures.ts';
import { study } from './study.ts';

/** The budget of every method, in schedules. */
const SCHEDULES = 20_000;

/** The methods of the study take minutes per execution, so only the first listed execution of each bug runs. */
const LISTED = 1;

interface Row {
  readonly bug: string;
  readonly seed: number;
  readonly pipeline: PipelineName;
  readonly initial: number;
  readonly final: number;
  readonly finalExternals: number;
  readonly schedules: number;
  readonly seconds: number;
  /** Whether it finished before its budget was used up. */
  readonly finished: boolean;
}

/** The methods of the study on the same executions, and culprit, with the same number of schedules. */
export const baselines = onFailures(pipelineNames, row, shown, LISTED);

async function row({ bug, seed, system, trace }: Failure, pipeline: PipelineName): Promise<Row> {
  const { stages, schedules, seconds } = await minimize(system, trace, { passes: [pipeline], schedules: SCHEDULES });
  return {
    bug,
    seed,
    pipeline,
    initial: trace.events.length,
    final: stages.at(-1)?.events ?? 0,
    finalExternals: stages.at(-1)?.externals ?? 0,
    schedules,
    seconds,
    finished: schedules < SCHEDULES,
  };
}

/** Medians; a star if some run used up its budget. */
function shown(rows: readonly Row[]): string {
  const theirs = ['initial', 'provenance', 'stssched', 'nodiverge', 'tfb'] as const;
  const lines = byBug(rows).map(([bug, all]) => [
    bug,
    exact(median(all.map(({ initial }) => initial))),
    ...pipelineNames.map((name) => left(all.filter(({ pipeline }) => pipeline === name))),
    '',
    ...theirs.map((column) => exact(study[bug]?.[column] ?? 0)),
  ]);
  const head = ['bug', 'initial', ...pipelineNames, 'DEMi:', ...theirs];
  return `${columns([head, ...lines], (column) => column > 0)}\n* not finished after ${SCHEDULES} schedules`;
}

const left = (rows: readonly Row[]): string =>
  `${exact(median(rows.map(({ final }) => final)))}${rows.every(({ finished }) => finished) ? ' ' : '*'}`;
