import { describe, expect, test } from 'vitest';
import {
  targetOf,
  allOf,
  invariantOracle,
  noUncaughtException,
  resolveSystem,
  strategyCalled,
  drive,
  execution,
} from 'culprit/kernel';
import { BadParameter, search, type Parameter } from 'culprit';
import { longFailures } from './long-failures.ts';
import spark from './spark.system.ts';

/** The message of each bug's violation. */
const symptoms = {
  'spark-2294':
    /^nearestFirst: application-1 gives \S+ task \d, (NO_PREF|SPECULATIVE) there, while task \d, (NODE_LOCAL|ANY), waits$/,
  'spark-3150':
    /^noUncaughtException: master threw TypeError: Cannot read properties of undefined \(reading 'worker'\)$/,
  'spark-9256':
    /^noUncaughtException: master threw Error: could not create file applications\/application-\d: it is there already$/,
};

type Bug = keyof typeof symptoms;
type Settings = Readonly<Record<string, Parameter>>;

describe('a hunt finds it in this many executions, and nothing if it is switched off:', () => {
  test.each<[Bug, Settings, Settings]>([
    ['spark-2294', {}, { executions: 1, seed: 0, strategy: 'random', events: 132 }],
    ['spark-2294', { workers: 2, jobs: 2 }, { executions: 2, seed: 1, strategy: 'pos', events: 18 }],
    ['spark-3150', {}, { executions: 1, seed: 0, strategy: 'random', events: 80 }],
    ['spark-3150', { workers: 1, jobs: 0, drivers: 1 }, { executions: 2, seed: 1, strategy: 'pos', events: 35 }],
    ['spark-9256', {}, { executions: 1, seed: 0, strategy: 'random', events: 26 }],
    [
      'spark-9256',
      { workers: 2, jobs: 1, drivers: 0, failovers: 0 },
      { executions: 3, seed: 2, strategy: 'pct', events: 42 },
    ],
  ])('%s, with %j', async (bug, set, expected) => {
    const { findings, executions } = await search(spark, { set: { ...set, bug } });
    const found = findings.map(({ trace: { verdict, header, events }, strategy }) => {
      expect(verdict.verdict === 'violated' && `${verdict.oracle}: ${verdict.message}`).toMatch(symptoms[bug]);
      return { executions, seed: header.seed, strategy, events: events.length };
    });
    expect(found).toEqual([expected]);
    expect(await search(spark, { set, executions })).toMatchObject({ findings: [], executions });
  });
});

const EVENTS_MAX = 3_000;

/** The execution of one seed, chosen at random: what an oracle says, and how long it is. */
async function executed(set: Settings, seed: number): Promise<{ said: string; events: number }> {
  const resolved = resolveSystem(spark, set);
  const session = targetOf(resolved).open(seed);
  const { verdict } = await drive(
    execution(session, {
      strategy: strategyCalled('random')({ seed, plan: resolved.plan(seed), steps: EVENTS_MAX }),
      oracle: allOf(noUncaughtException, invariantOracle(resolved.invariants)),
      eventsMax: EVENTS_MAX,
    }),
  );
  const said = verdict.kind === 'violated' ? `${verdict.oracle}: ${verdict.message}` : verdict.kind;
  return { said, events: session.world.length };
}

describe('with about as many externals as in the study, executions are long:', () => {
  test.each(Object.entries(longFailures))('%s, with %j', async (bug, { set, events: lengths }) => {
    for (const [seed, length] of Object.entries(lengths)) {
      const { said, events } = await executed({ ...set, bug }, Number(seed));
      expect(said).toMatch(symptoms[bug as Bug]);
      expect(events).toBe(length);
      expect((await executed(set, Number(seed))).said).toBe('holds');
    }
  });
});

test('without a bug nothing is found, and every mark is reached', async () => {
  const set = { applications: 2, workers: 4, jobs: 6, drivers: 4, failovers: 3 };
  const strategy = ['random', 'pos', 'pct:3', 'pctcp:4', 'round-robin'] as const;
  const report = await search(spark, { set, strategy, executions: 150, eventsMax: EVENTS_MAX });
  expect(report).toMatchObject({ findings: [], executions: 150, unknown: 0, events: 39_560 });
  expect(report.coverage).toMatchObject({ distinct: 150, never: [], marksMissed: [] });
});

test('an unknown bug is an error', () => {
  expect(() => resolveSystem(spark, { bug: 'spark-1' })).toThrow(BadParameter);
});
