import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { Random } from '../kernel/data/random.ts';
import { loadSystem } from '../system/load-system.ts';
import { AdaptivePace } from './seed-queue.ts';
import { SearchEnded } from './search-ended.ts';
import { boundsOf, type SearchOptions } from './options.ts';
import type { SearchReport } from './report.ts';
import { Searcher, type Parallelism } from './searcher.ts';
import type { System } from '../system/definition.ts';
import { startThreads } from '../workers/worker-pool.ts';

vi.mock(import('node:worker_threads'), async (original) => {
  const { builtThreads } = await import('../../test/twins/built-threads.ts');
  return builtThreads(await original());
});

const load = async (path: string): Promise<System> =>
  (await loadSystem(fileURLToPath(new URL(`../../${path}`, import.meta.url)))).system;

const sums = await load('test/workers/sums.system.ts');
const trouble = await load('test/workers/trouble.system.ts');
const everything = await load('test/trace/everything.system.ts');

/** Ranges of so many executions. */
const of = (size: number): Parallelism['pace'] => ({ size, note() {} });

/** Ranges of up to so many executions, drawn each time. */
const upTo = (most: number): Parallelism['pace'] => {
  const random = Random.seeded(most, 1);
  return {
    get size() {
      return 1 + random.below(most);
    },
    note() {},
  };
};

type Outcome = SearchReport & { readonly ended?: string; readonly seed?: number | undefined };

/** What a search says, or what it ended with. All workers take part from the first seed on, and the threads claim first. */
const outcome = (
  system: System,
  options: SearchOptions,
  workers: number,
  pace: Parallelism['pace'],
): Promise<Outcome> =>
  new Searcher(system, boundsOf(options), {
    start: startThreads,
    workers,
    pace,
    aloneMs: 0,
    waits: 'first',
    loadMs: 60_000,
  })
    .run()
    .catch((error: unknown) => {
      if (!(error instanceof SearchEnded)) throw error;
      return { ...error.report, ended: error.message, seed: error.seed };
    });

const violations = ({ findings }: Outcome): unknown[] =>
  findings.map(({ trace: { header, verdict } }) => [header.seed, verdict.verdict === 'violated' && verdict.message]);

describe('any number of workers, any size of ranges: the same report', () => {
  const many = { unlucky: 12, many: true };
  test.each([
    ['nothing', sums, { executions: 300, seed: 7 }, 300, 0, [1, 3]],
    ['a violation in the first execution', sums, { set: { unlucky: 13 } }, 1, 1, [3]],
    ['a violation early', sums, { set: { unlucky: 14 } }, 16, 1, [1]],
    ['a violation late', sums, { set: { unlucky: 17 } }, 80, 1, [1, 2]],
    ['several violations', sums, { set: many, executions: 300, violations: 9 }, 300, 3, [1]],
    ['as many as it looks for', sums, { set: many, violations: 3 }, 20, 3, [1, 2]],
    ['weights of the system', sums, { executions: 60, set: { ticks: 9 } }, 60, 0, [2]],
    ['weights of the hunt', sums, { executions: 60, weights: { deliver: 9 } }, 60, 0, [2]],
    ['async handlers', everything, { executions: 40, eventsMax: 50 }, 40, 0, [1, 2]],
  ] as const)('%s', async (_what, system, options, executions, findings, workers) => {
    const one = await outcome(system, options, 1, of(1_000));
    expect([one.executions, one.findings.length, one.nextSeed]).toEqual([
      executions,
      findings,
      ('seed' in options ? options.seed : 0) + executions,
    ]);
    expect(await outcome(system, options, 1, of(1))).toEqual(one);
    for (const count of workers) expect(await outcome(system, options, count, upTo(1 + 3 * count))).toEqual(one);
  });
});

describe('a function of the system that throws in some execution', () => {
  const firstLine = ({ ended }: Outcome): string | undefined => ended?.split('\n')[0];

  test.each([
    ['generator', 'seed 184: generate(…) number 2 of the workload threw: Error: generator does not like 13', 184],
    ['invariant', 'seed 184: the invariant lucky threw after event 5: Error: invariant does not like 13', 184],
    ['sometimes', 'seed 184: the sometimes odd threw: Error: sometimes does not like 13', 184],
    ['trigger', 'seed 184: trigger 1, asked about a deliver of a, threw: Error: trigger does not like 13', 184],
    ['until', 'seed 188: until(…) number 1 of the workload threw: Error: until does not like 13', 188],
    ['endless generator', 'seed 184: generate(…) number 2 of the workload did not return within 200 ms.', 184],
    ['peer', 'seed 184: a: there is no process called "nobody": the system has a.', 184],
  ])('%s: that ends the search, which keeps what it had', async (what, problem, seed) => {
    const options = { set: { what }, executions: 300, violations: 2, handlerMs: 200 };
    const one = await outcome(trouble, options, 1, upTo(50));
    expect([firstLine(one), one.seed, one.executions, one.nextSeed]).toEqual([problem, seed, seed, seed]);
    expect(violations(one)).toEqual([[46, 'a has drawn 7']]);
  });

  test('in a worker, which has that seed in its second range', async () => {
    const options = { set: { what: 'generator' }, executions: 300, violations: 2 };
    expect(await outcome(trouble, options, 2, of(100))).toEqual(await outcome(trouble, options, 1, of(50)));
  });

  test('does not end it where only a worker asked: in the order of seeds the mark was reached before', async () => {
    const options = { set: { what: 'once' }, executions: 250, violations: 2 };
    const one = await outcome(trouble, options, 1, upTo(50));
    expect([one.ended, one.coverage.marksReached]).toEqual([undefined, ['once']]);
    expect(await outcome(trouble, options, 2, of(100))).toEqual(one);
  });
});

describe('a worker that', () => {
  test.each([
    ['hang', 'a did not return from event 5 (deliver)'],
    ['hang after an await', 'a did not return from event 6 (complete)'],
  ])('meets a %s: it is a violation of its seed', async (what, message) => {
    const options = { set: { what }, executions: 187, violations: 3, handlerMs: 200 };
    const two = await outcome(trouble, options, 2, of(93));
    expect(violations(two)).toEqual([
      [46, 'a has drawn 7'],
      [184, message],
    ]);
    // What a handler that was ended has left behind is not looked at.
    expect([two.executions, two.coverage.saturation.at(-1)?.[0]]).toEqual([187, 186]);
  });

  test.each(['exit', 'uncaught'])('dies (%s) loses no seed', async (what) => {
    const options = { set: { what }, executions: 250, violations: 3 };
    const one = await outcome(trouble, options, 1, of(50));
    expect([one.executions, violations(one)]).toEqual([250, [[46, 'a has drawn 7']]]);
    expect(await outcome(trouble, options, 2, of(100))).toEqual(one);
  });

  test('sees what is not so in the thread of the hunt: that is an error', async () => {
    const { ended, seed } = await outcome(trouble, { set: { what: 'state' }, seed: 100 }, 2, of(100));
    expect(ended).toContain(
      'seed 184: event 5: the violation of notSeven (a has drawn 7) did not happen again on re-execution.',
    );
    expect(seed).toBe(184);
  });

  test('sees another first execution cannot take part', async () => {
    const { ended, seed } = await outcome(trouble, { set: { what: 'differs' } }, 2, of(100));
    expect([ended, seed]).toEqual([
      'a worker thread failed: event 1: a (start): a.last is 2, and was 0 in the recording.',
      undefined,
    ]);
  });
});

test('a worker that never comes to an end of loading is not waited for', async () => {
  const never = await load('test/workers/never.system.ts');
  const parallelism: Parallelism = {
    start: startThreads,
    workers: 2,
    pace: of(1),
    aloneMs: 0,
    waits: 'last',
    loadMs: 2_000,
  };
  await expect(new Searcher(never, boundsOf({ executions: 5 }), parallelism).run()).rejects.toThrow(
    /^a worker thread failed: it has not loaded \S+\/never\.system\.ts within 2000 ms\.$/,
  );
  // What it was loading is cleared away.
  const cache = new URL('../../node_modules/.cache/culprit', import.meta.url);
  expect(readdirSync(cache).filter((name) => name.includes(`-${process.pid}-`))).toEqual([]);
});

test('workers that join later change nothing', async () => {
  const options = { set: { unlucky: 12, many: true }, executions: 1_500, violations: 9 };
  const parallelism: Parallelism = {
    start: startThreads,
    workers: 2,
    pace: new AdaptivePace(),
    aloneMs: 50,
    waits: 'last',
    loadMs: 60_000,
  };
  const joined = await new Searcher(sums, boundsOf(options), parallelism).run();
  expect(joined).toEqual(await outcome(sums, options, 1, of(100)));
});

test('a search that is interrupted has executed all seeds up to some seed, and no other', async () => {
  const interruption = new AbortController();
  let reported = 0;
  const onProgress = ({ executions }: { readonly executions: number }): void => {
    expect(executions).toBeGreaterThan(reported);
    reported = executions;
    if (executions > 500) interruption.abort();
  };
  const options = { set: { unlucky: 12, many: true }, violations: 9 };
  const { signal } = interruption;
  const cut = await outcome(sums, { ...options, executions: 1e9, signal, onProgress }, 2, upTo(20));
  expect(cut.executions).toBeGreaterThan(500);
  expect(cut).toEqual(await outcome(sums, { ...options, executions: cut.executions }, 1, of(100)));
});

test('a hang that is known is not found again', async () => {
  const options = { set: { what: 'hang' }, seed: 180, executions: 10, violations: 3, handlerMs: 200 };
  const one = await outcome(trouble, options, 1, of(50));
  expect(violations(one)).toEqual([[184, 'a did not return from event 5 (deliver)']]);
  expect([one.executions, one.coverage.saturation.at(-1)?.[0]]).toEqual([10, 8]);
});
