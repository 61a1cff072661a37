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

type Listed = Omit<Failure, 'trace'> & {
  readonly set: Readonly<Record<string, Parameter>>;
  readonly events: number;
};

/** The chosen failing executions of all ten bugs, each made when its turn comes. */
export async function* failures({ seeds: [from, to] = [1, Infinity] }: PartOptions): AsyncGenerator<Failure> {
  const bugs = [
    ...(Object.keys(longOfRaft) as RaftBug[]).map((bug) => listed(bug, raft, longOfRaft[bug], bestOfRaft[bug])),
    ...(Object.keys(longOfSpark) as SparkBug[]).map((bug) => listed(bug, spark, longOfSpark[bug], bestOfSpark[bug])),
  ];
  for (const all of bugs) for (const one of all.slice(from - 1, to)) yield { ...one, trace: await traceOf(one) };
}

const listed = (
  bug: string,
  system: System,
  { set, events }: Pick<Listed, 'set'> & { readonly events: Readonly<Record<number, number>> },
  best: Failure['best'],
): Listed[] =>
  Object.entries(events).map(([seed, count]) => ({ bug, seed: Number(seed), system, best, set, events: count }));

async function traceOf({ bug, seed, system, set, events }: Listed): Promise<Trace> {
  const options = { seed, executions: 1, eventsMax: 3_000, strategy: 'random', set: { ...set, bug } };
  const { findings } = await search(system, options);
  const trace = findings[0]?.trace;
  if (trace?.events.length !== events) throw new Error(`bench: seed ${seed} of ${bug} does not fail as it used to`);
  return trace;
}
