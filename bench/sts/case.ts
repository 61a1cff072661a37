import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { recheck, type System } from 'culprit';
import type { Trace } from 'culprit/trace';
import { minimized, recorded } from '../../cases/networks/gates.ts';
import { moduleOf, studies, systemOf, type Study } from '../../cases/networks/studies.ts';
import type { Point } from './chart.ts';

/** Executions at a time, on two cores: a replay waits more than it computes, and is late where cores are busy. */
export const JOBS = 5;

/** A row is bounded by so many replays, and not by time. */
const REPLAYS_MAX = 5_000;

/** The rate of an execution is taken from so many replays. */
const RATE_REPLAYS = 10;

/** A row of table 6.1, beside the published figures. */
export interface CaseRow {
  readonly case: string;
  /** In the recording. */
  readonly inputs: number;
  /** Left by minimizing. */
  readonly mcs: number;
  readonly replays: number;
  readonly seconds: number;
  /** The share of replays of the recording that show the violation, and the same of the minimized execution. */
  readonly rate: number;
  readonly mcsRate: number;
  readonly paperInputs: number;
  readonly paperMcs: number;
  readonly paperSeconds: number | undefined;
  readonly certificate: string;
  readonly pace: number;
  readonly jobs: number;
  readonly load: number;
  /** How the number of inputs fell with the replays (figure 6.1). */
  readonly sizes: readonly Point[];
}

/** The studies that are there. */
export const presentStudies = studies.filter((study) =>
  existsSync(new URL(`../../${moduleOf(study)}`, import.meta.url)),
);

export const caseName = ({ number, title }: Study): string => `${number} ${title}`;

/** A recording of a study, with at least as many inputs as the published one. */
export interface RecordedCase {
  readonly study: Study;
  readonly system: System;
  readonly trace: Trace;
}

export const recordedCase = async (
  study: Study,
  set: Readonly<Record<string, boolean>> = {},
): Promise<RecordedCase> => ({
  study,
  system: await systemOf(study),
  trace: await recorded(study, { jobs: JOBS, set }),
});

/** The share of replays of an execution that show the violation. */
export async function rateOf({ study, system, trace }: RecordedCase, replays = RATE_REPLAYS): Promise<number> {
  const answer = await recheck(system, trace, { replays, jobs: JOBS, module: moduleOf(study) });
  if (answer.answer !== 'sampled') throw new Error(`bench: ${study.folder} is repeatable`);
  return answer.reproduced / answer.replays;
}

export async function minimizedCase(recording: RecordedCase): Promise<CaseRow> {
  const { study, trace } = recording;
  const externals: Point[] = [];
  const { inputs, schedules, seconds, certificate, reproduction } = await minimized(study, trace, {
    jobs: JOBS,
    schedules: REPLAYS_MAX,
    onProgress: (now) => externals.push([now.schedules, now.externals]),
  });
  if (inputs === undefined) throw new Error(`bench: ${study.folder} was not executed`);
  const counts = { inputs: inputs.recorded.inputs, mcs: inputs.left.inputs, replays: schedules };
  return {
    case: caseName(study),
    ...counts,
    seconds,
    rate: await rateOf(recording),
    mcsRate: reproduction?.rate ?? 0,
    paperInputs: study.published.inputs,
    paperMcs: study.published.mcs,
    paperSeconds: study.published.seconds,
    certificate: certificate ?? 'none',
    pace: Number(trace.header.parameters['pace']),
    jobs: JOBS,
    load: loadavg()[0] as number,
    sizes: inputsOver(externals, counts),
  };
}

/** Progress counts all externals, also those that are always kept; these are no inputs. Points at which nothing changes are left out. */
function inputsOver(
  externals: readonly Point[],
  { inputs, mcs, replays }: Pick<CaseRow, 'inputs' | 'mcs' | 'replays'>,
): Point[] {
  const kept = Math.min(...externals.map(([, count]) => count)) - mcs;
  const falling = externals.filter(([, count], at) => count !== externals[at - 1]?.[1]);
  return [[0, inputs], ...falling.map(([at, count]): Point => [at, count - kept]), [replays, mcs]];
}
