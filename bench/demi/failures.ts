import { search, type Parameter, type System } from 'culprit';
import type { Trace } from 'culprit/trace';
import { bestKnown as bestOfRaft } from '../../cases/raft/best-known.ts';
import { longFailures as longOfRaft } from '../../cases/raft/long-failures.ts';
import raft from '../../cases/raft/raft.system.ts';
import { bestKnown as bestOfSpark } from '../../cases/spark/best-known.ts';
import { longFailures as longOfSpark } from '../../cases/spark/long-failures.ts';
import spark from '../../cases/spark/spark.system.ts';
import type { PartOptions } from '../row.ts';

type RaftBug = keyof typeof longOfRaft;
type SparkBug = keyof typeof longOfSpark;

/** One failing execution of one bug. */
export interface Failure {
  readonly bug: string;
  readonly seed: number;
  readonly system: System;
  readonly best: { readonly events: number; readonly how: string };
  readonly trace: Trace;
}

type Bug = Pick<Failure, 'bug' | 'system' | 'best'> & {
  readonly set: Readonly<Record<string, Parameter>>;
  /** The listed seeds, and the maximum number of events until the violation. */
  readonly events: Readonly<Record<number, number>>;
};

const bugs: readonly Bug[] = [
  ...(Object.keys(longOfRaft) as RaftBug[]).map((bug) => ({
    ...longOfRaft[bug],
    bug,
    system: raft,
    best: bestOfRaft[bug],
  })),
  ...(Object.keys(longOfSpark) as SparkBug[]).map((bug) => ({
    ...longOfSpark[bug],
    bug,
    system: spark,
    best: bestOfSpark[bug],
  })),
];

/**
 * Failing executions of all ten bugs, generated one at a time: those of the given seeds, or the first listed ones of
 * each bug.
 */
export async function* failures({ seeds }: PartOptions, listedMax: number): AsyncGenerator<Failure> {
  for (const bug of bugs) yield* seeds === undefined ? listed(bug, listedMax) : among(bug, seeds);
}

async function* listed(bug: Bug, listedMax: number): AsyncGenerator<Failure> {
  for (const [seed, count] of Object.entries(bug.events).slice(0, listedMax)) {
    const failure = await failureOf(bug, Number(seed));
    if (failure?.trace.events.length !== count) {
      throw new Error(`bench: seed ${seed} of ${bug.bug} does not fail as it used to`);
    }
    yield failure;
  }
}

/** Also prints how many of the seeds fail. */
async function* among(bug: Bug, [from, to]: NonNullable<PartOptions['seeds']>): AsyncGenerator<Failure> {
  let failing = 0;
  for (let seed = from; seed <= to; seed++) {
    const failure = await failureOf(bug, seed);
    if (failure === undefined) continue;
    failing += 1;
    yield failure;
  }
  console.error(`${bug.bug}: seeds ${from}..${to}: ${failing} of ${to - from + 1} fail`);
}

async function failureOf({ bug, system, best, set }: Bug, seed: number): Promise<Failure | undefined> {
  const options = { seed, executions: 1, eventsMax: 3_000, strategy: 'random', set: { ...set, bug } } as const;
  const { findings } = await search(system, options);
  const trace = findings[0]?.trace;
  return trace && { bug, seed, system, best, trace };
}
