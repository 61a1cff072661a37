import { minimize } from 'culprit';
import type { Stage } from 'culprit/kernel';
import { columns, exact } from '../table.ts';
import { median } from '../timing.ts';
import { byBug } from './by-bug.ts';
import type { Failure } from './failures.ts';
import { onFailures } from './on-failures.ts';
import { study } from './study.ts';

/** One failing execution, minimized. */
interface Row {
  readonly bug: string;
  readonly seed: number;
  readonly initial: number;
  readonly initialExternals: number;
  readonly final: number;
  readonly finalExternals: number;
  readonly best: number;
  readonly bestHow: string;
  readonly schedules: number;
  readonly seconds: number;
  readonly certificate: string | null;
  readonly stages: readonly Stage[];
}

/** Every failing execution, minimized with the default options. */
export const executions = onFailures([undefined], row, shown);

async function row({ bug, seed, system, trace, best }: Failure): Promise<Row> {
  const { stages, schedules, seconds, certificate = null } = await minimize(system, trace);
  const [first, last] = [stages[0] as Stage, stages.at(-1) as Stage];
  return {
    bug,
    seed,
    initial: first.events,
    initialExternals: first.externals,
    final: last.events,
    finalExternals: last.externals,
    best: best.events,
    bestHow: best.how,
    schedules,
    seconds,
    certificate,
    stages,
  };
}

function shown(rows: readonly Row[]): string {
  return [summary(rows), 'Events left after each pass of the first round, median:', stagesOf(rows)].join('\n\n');
}

function summary(rows: readonly Row[]): string {
  const head = 'bug,runs,initial,final,worst,best,ratio,worst,schedules,worst,seconds,worst,1-minimal';
  const theirs = 'DEMi:,initial,STSSched,TFB,optimum,ratio,schedules,seconds';
  const lines = byBug(rows).map(([bug, all]) => [bug, `${all.length}`, ...ours(all), ...studied(bug)]);
  return columns([`${head},${theirs}`.split(','), ...lines], (column) => column > 0);
}

function ours(rows: readonly Row[]): string[] {
  const both = (of: (row: Row) => number): string[] => {
    const values = rows.map(of);
    return [exact(median(values)), exact(Math.max(...values))];
  };
  return [
    exact(median(rows.map(({ initial }) => initial))),
    ...both(({ final }) => final),
    `${rows[0]?.best}`,
    ...both(({ final, best }) => final / best),
    ...both(({ schedules }) => schedules),
    ...both(({ seconds }) => seconds),
    `${rows.filter(({ certificate }) => certificate !== null).length}/${rows.length}`,
  ];
}

function studied(bug: string): string[] {
  const known = study[bug];
  if (known === undefined) return [];
  const { initial, stssched, tfb, optimum, schedules, seconds } = known;
  return ['', ...[initial, stssched, tfb, optimum, tfb / optimum, schedules, seconds].map(exact)];
}

/** A column for each pass. */
function stagesOf(rows: readonly Row[]): string {
  const names = firstRound(rows[0]?.stages ?? []).map(({ pass }) => pass);
  const lines = byBug(rows).map(([bug, all]) => {
    const after = (at: number): number => median(all.map(({ stages }) => stages[at]?.events ?? 0));
    return [bug, ...names.map((_name, at) => exact(after(at)))];
  });
  return columns([['bug', ...names], ...lines], (column) => column > 0);
}

/** Up to the second turn of the first pass. */
function firstRound(stages: readonly Stage[]): readonly Stage[] {
  const again = stages.findIndex(({ pass }, at) => at > 1 && pass === stages[1]?.pass);
  return again < 0 ? stages : stages.slice(0, again);
}
