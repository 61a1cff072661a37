import { minimize } from 'culprit';
import type { Stage } from 'culprit/kernel';
import { columns, exact } from '../table.ts';
import { byBug } from './by-bug.ts';
import type { Failure } from './failures.ts';
import { onFailures } from './on-failures.ts';

const passes = ['externals', 'externals-by-halves', 'externals-by-cause'] as const;

interface Row {
  readonly bug: string;
  readonly seed: number;
  readonly pass: (typeof passes)[number];
  readonly initialExternals: number;
  readonly finalExternals: number;
  /** Until the pass had tried everything once, and until it found nothing more. */
  readonly first: number;
  readonly schedules: number;
}

/** The cost of three ways to drop externals, on the same executions. */
export const externals = onFailures(passes, row, shown);

async function row({ bug, seed, system, trace }: Failure, pass: Row['pass']): Promise<Row> {
  const { stages, schedules } = await minimize(system, trace, { passes: [`${pass}:type`] });
  const [before, after] = stages as readonly [Stage, Stage];
  return {
    bug,
    seed,
    pass,
    initialExternals: before.externals,
    finalExternals: stages.at(-1)?.externals ?? 0,
    first: after.schedules,
    schedules,
  };
}

/** Sums over the executions of a bug, and over all. */
function shown(rows: readonly Row[]): string {
  const head = ['bug', 'externals', ...passes.flatMap((pass) => [pass, 'first', 'schedules'])];
  const lines = [...byBug(rows), ['all', rows] as const].map(([bug, all]) => {
    const sum = (some: readonly Row[], of: (row: Row) => number): string =>
      exact(some.reduce((total, one) => total + of(one), 0));
    const of = passes.map((name) => all.filter(({ pass }) => pass === name));
    return [
      bug,
      sum(of[0] ?? [], ({ initialExternals }) => initialExternals),
      ...of.flatMap((some) => [
        sum(some, ({ finalExternals }) => finalExternals),
        sum(some, ({ first }) => first),
        sum(some, ({ schedules }) => schedules),
      ]),
    ];
  });
  return columns([head, ...lines], (column) => column > 0);
}
