import { search, type Parameter, type System } from 'culprit';
import { strategyNames, type SearchOptions } from 'culprit/kernel';
import lock from '../../cases/lock/lock.system.ts';
import raft from '../../cases/raft/raft.system.ts';
import spark from '../../cases/spark/spark.system.ts';
import type { Measured } from '../row.ts';
import { median } from '../timing.ts';

interface Shipped {
  readonly bug: string;
  readonly system: System;
  readonly set: Readonly<Record<string, Parameter>>;
}

const sparkBugs = ['spark-2294', 'spark-3150', 'spark-9256'];
const raftBugs = ['raft-45', 'raft-46', 'raft-56', 'raft-58a', 'raft-58b', 'raft-42'];

const shipped: readonly Shipped[] = [
  { bug: 'lock', system: lock, set: {} },
  ...sparkBugs.map((bug) => ({ bug, system: spark, set: { bug } })),
  ...raftBugs.map((bug) => ({ bug, system: raft, set: { bug } })),
  { bug: 'raft-66', system: raft, set: { bug: 'raft-66', commands: 60, unordered: true } },
];

const SEEDS = 20;
/** Far enough apart that no two hunts share a seed. */
const SEEDS_APART = 100_000;
/** Counted, not timed, so that the results are the same on every machine. */
const LIMITS = { executions: 500, eventsMax: 1_000 };

/** The number of executions until each shipped bug is found, by each strategy, from independent seeds. */
export async function* bugs(): AsyncGenerator<Measured> {
  for (const { bug, system, set } of shipped) {
    for (const strategy of [...strategyNames, ['random', 'pos', 'pct'] as const]) {
      yield* await measured(`${bug}, ${[strategy].flat().join(',')}`, system, { set, strategy });
    }
  }
}

type Options = Pick<Shipped, 'set'> & Required<Pick<SearchOptions, 'strategy'>>;

async function measured(name: string, system: System, options: Options): Promise<Measured[]> {
  const executions: number[] = [];
  const seconds: number[] = [];
  let found = 0;
  for (let at = 1; at <= SEEDS; at++) {
    const before = performance.now();
    const report = await search(system, { ...LIMITS, ...options, seed: at * SEEDS_APART });
    seconds.push((performance.now() - before) / 1000);
    // An unfound bug counts as the whole budget.
    executions.push(report.executions);
    found += Math.sign(report.findings.length);
  }
  const row = (metric: string, value: number, unit: string): Measured => ({ case: name, metric, value, unit });
  return [
    row('found', found, `of ${SEEDS}`),
    row('median', median(executions), 'executions'),
    row('worst', Math.max(...executions), 'executions'),
    row('median', median(seconds), 's'),
    row('worst', Math.max(...seconds), 's'),
  ];
}
