import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { search } from 'culprit';
import { Random } from '../kernel/data/random.ts';
import { originOf, violationIn } from '../replay/replay.ts';
import type { System } from '../system/definition.ts';
import { loadSystem } from '../system/load-system.ts';
import { eventOf } from '../trace/codec.ts';
import type { Event } from '../trace/event.ts';
import { writeTrace } from '../trace/file.ts';
import type { Trace } from '../trace/format.ts';
import type { Violated } from '../trace/verdict.ts';
import { candidateExecutor, type CandidateAnswer, type CandidateJob } from './candidate-jobs.ts';
import type { CandidatePlan } from './candidate-plan.ts';
import { minimizeBy } from './minimize.ts';
import { Minimizer } from './minimizer.ts';
import { defaultPasses } from './pass-registry.ts';
import type { Helpers } from './trial-runner.ts';

vi.mock(import('node:worker_threads'), async (original) => {
  const { builtThreads } = await import('../../test/twins/built-threads.ts');
  return builtThreads(await original());
});

const load = async (path: string): Promise<System> =>
  (await loadSystem(fileURLToPath(new URL(`../../${path}`, import.meta.url)))).system;

const shapes = await load('test/workers/shapes.system.ts');

const failureOf = async (set: Readonly<Record<string, number | boolean>>): Promise<Trace> => {
  const { findings } = await search(shapes, { set, executions: 200, eventsMax: 400, strategy: 'random' });
  return findings[0]?.trace as Trace;
};

/**
 * Threads that take part in the order of a random number: a share of the jobs is answered at once, a share later, a share when it does not
 * count any more, and a share is given back. Each has an executor of its own, and all data is cloned on the way.
 */
class RandomHelpers implements Helpers {
  readonly newest = new Int32Array(new SharedArrayBuffer(4));
  answers = 0;
  private readonly given: {
    readonly job: CandidateJob;
    readonly execute: (job: CandidateJob) => Promise<CandidateAnswer>;
  }[] = [];
  private readonly executors;
  private readonly random: Random;
  private plan: CandidatePlan | undefined;

  constructor(trace: Trace, workers: number, seed: number) {
    this.random = Random.seeded(seed, 0x68656c70);
    const origin = originOf(shapes, trace, { handlerMs: 5_000 });
    const original = structuredClone(trace.events.map(eventOf));
    const work = { kind: 'candidates', origin, violation: violationIn(trace) as Violated, original } as const;
    const calledOff = (): boolean => this.random.below(20) === 0;
    this.executors = Array.from({ length: workers - 1 }, () => {
      const execute = candidateExecutor(origin, { ...work, newest: this.newest });
      return (job: CandidateJob) => execute(job, calledOff);
    });
  }

  async share(plan: CandidatePlan): Promise<boolean> {
    this.plan = plan;
    for (const execute of this.executors) {
      const job = this.random.below(3) === 0 ? undefined : plan.next();
      if (job !== undefined) this.given.push({ job, execute });
    }
    return true;
  }

  async listen(isIdle: boolean): Promise<void> {
    while (this.given.length > 0 && (isIdle || this.random.below(2) === 0)) {
      const [{ job, execute }] = this.given.splice(this.random.below(this.given.length), 1) as [
        (typeof this.given)[number],
      ];
      if (this.random.below(10) === 0) this.plan?.giveBack(job);
      else {
        this.answers += 1;
        this.plan?.answered(job, structuredClone(await execute(structuredClone(job))));
      }
      if (isIdle) return;
    }
  }
}

/** What a minimization finds, with counts and stages, but for the time it took. */
async function minimized(trace: Trace, helpers?: Helpers): Promise<object> {
  const origin = originOf(shapes, trace, { handlerMs: 5_000 });
  const limits = { schedules: 500, seconds: Number.POSITIVE_INFINITY, proofStates: 200, signal: undefined };
  const listener = { scheduleTried: () => Promise.resolve() };
  const events = trace.events.map(eventOf);
  const violation = violationIn(trace) as Violated;
  const minimizer = new Minimizer(origin, events, violation, limits, listener, undefined, undefined, helpers);
  await minimizer.verify();
  const certificate = await minimizer.run(defaultPasses);
  const { best, others, stages, shrinkCurve } = minimizer;
  const named = (all: readonly Event[]): object[] =>
    all.map(({ kind, process, hi, lo, cause }) => ({ kind, process, hi, lo, cause }));
  return {
    certificate,
    best: named(best.events),
    others: [...others].map(([bug, other]) => [bug, named(other.events)]),
    stages: stages.map((stage) => ({ ...stage, seconds: 0 })),
    shrinkCurve,
  };
}

test('systems of every shape are minimized as by one thread, whichever thread is the first to answer', async () => {
  for (let shape = 0; shape < 6; shape++) {
    const trace = await failureOf({ shape, awaits: shape % 3 === 2, bare: shape === 1 });
    const alone = await minimized(trace);
    const helpers = new RandomHelpers(trace, 2 + (shape % 2), shape);
    expect(await minimized(trace, helpers)).toEqual(alone);
    expect(helpers.answers).toBeGreaterThan(0);
  }
});

test('real threads give the same trace, byte by byte', async () => {
  const trace = await failureOf({ shape: 2, awaits: true });
  const texts = await Promise.all(
    [1, 2, 3].map(async (workers) => {
      const threads = { workers, aloneMs: 0, waits: 'first', loadMs: 60_000 } as const;
      const { trace: smaller, others } = await minimizeBy(threads, shapes, trace, { proofStates: 200 });
      return [smaller, ...others].map((one) => writeTrace(one));
    }),
  );
  expect(texts[1]).toEqual(texts[0]);
  expect(texts[2]).toEqual(texts[0]);
});
