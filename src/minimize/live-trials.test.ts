import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ticking } from '../../test/twins/ticking.ts';
import { WaitingReplays } from '../execution/waiting-replay.ts';
import { Random } from '../kernel/data/random.ts';
import { GivenUp } from '../kernel/user-code/overdue.ts';
import { WaitingReport } from '../schedule/replay/waiting-report.ts';
import { behavior, defineSystem } from '../system/define-system.ts';
import { resolveSystem } from '../system/resolve.ts';
import type { Event } from '../trace/event.ts';
import type { Violated } from '../trace/verdict.ts';
import type { SessionRunner } from '../workers/session-runner.ts';
import { RepeatedTrials } from './flaky.ts';
import { LiveTrials } from './live-trials.ts';
import type { Answer, CandidateSchedule, Failing } from './pass.ts';
import { parsePass } from './pass-registry.ts';
import type { TrialJob, TrialResult } from './trial-jobs.ts';
import { noRules } from './rules.ts';

/**
 * Candidates are sets of externals, as bits, and no session is opened: whether the nth execution of a set fails is written down in
 * advance. So answers are the same with any number of jobs, and the results have to be.
 */
interface Answers {
  readonly externals: number;
  /** Which sets can fail. All of them can where they contain one of these. */
  readonly needed: readonly number[];
  /** How often such a set fails. */
  readonly rate: number;
  readonly seed: number;
}

const answers: fc.Arbitrary<Answers> = fc.integer({ min: 1, max: 9 }).chain((externals) =>
  fc.record({
    externals: fc.constant(externals),
    needed: fc.array(fc.integer({ min: 0, max: 2 ** externals - 1 }), { minLength: 1, maxLength: 3 }),
    rate: fc.constantFrom(1, 0.9, 0.6),
    seed: fc.nat(1_000),
  }),
);

const violation: Violated = { kind: 'violated', oracle: 'bug', message: '', processes: [], fingerprint: 'bug' };

const eventNumbered = (at: number): Event => ({ kind: 'start', process: `p${at}`, cause: -1, hi: at, lo: 0 });

const bitsOf = (events: readonly Event[]): number => events.reduce((bits, { hi }) => bits | (1 << hi), 0);

function isFailing({ needed, rate, seed }: Answers, events: readonly Event[], nth: number): boolean {
  const bits = bitsOf(events);
  const canFail = needed.some((one) => (one & bits) === one);
  return canFail && Random.seeded(seed + nth * 1_009, bits).float() < rate;
}

const resultOf = (given: Answers, { candidate: { events }, nth }: TrialJob): TrialResult => ({
  violated: isFailing(given, events, nth)
    ? {
        failing: {
          events: [...events],
          violation,
          targets: new Map(),
          lostToCuts: [],
          undelivered: [],
          trace: undefined,
        },
        isSame: true,
      }
    : undefined,
  isUnknown: false,
  whyUnknown: undefined,
  ambiguities: [],
  events: events.length,
  waited: { report: new WaitingReport().plain, peeks: 0, ambiguous: 0 },
});

/** Takes its time for each result, so that they arrive in any order. */
class UnhurriedRunner implements SessionRunner<TrialJob, TrialResult> {
  underWay = 0;
  most = 0;

  constructor(
    readonly jobs: number,
    protected readonly given: Answers,
    private readonly random = Random.seeded(given.seed, jobs),
  ) {}

  async run(job: TrialJob, signal?: AbortSignal): Promise<TrialResult> {
    this.underWay += 1;
    this.most = Math.max(this.most, this.underWay);
    try {
      for (let turns = this.random.below(4); turns > 0; turns--) {
        await new Promise((resolve) => void setImmediate(resolve));
        if (signal?.aborted === true) throw new GivenUp();
      }
      return resultOf(this.given, job);
    } finally {
      this.underWay -= 1;
    }
  }

  end(): Promise<void> {
    return Promise.resolve();
  }
}

const rules = noRules;

const failingFrom = (events: readonly Event[]): Failing => ({
  events,
  violation,
  targets: new Map(),
  lostToCuts: [],
  paths: () => undefined,
  shortcuts: () => [],
  rules,
});

const noOracle = behavior<object, string>({ start: () => ({}), receive: () => {} });
const system = resolveSystem(defineSystem({ processes: { box: ticking({}), other: noOracle } }));
const origin = { system, module: undefined, seed: 0, strategy: 'random', eventsMax: 100, handlerMs: 1_000 };

/** What a pass asked and what was answered, what is left, and what counted. */
interface Asked {
  readonly log: readonly string[];
  readonly left: number;
  readonly schedules: number;
}

type Ask = (candidate: CandidateSchedule) => Promise<Answer>;

const initial = ({ externals }: Answers): readonly Event[] => [...Array(externals).keys()].map(eventNumbered);

async function asked(pass: string, given: Answers, ask: Ask): Promise<Omit<Asked, 'schedules'>> {
  const log: string[] = [];
  const asking = parsePass(pass)(failingFrom(initial(given)));
  let step = asking.next();
  while (step.done !== true) {
    const answer = await ask(step.value);
    log.push(`${bitsOf(step.value.events)} ${answer.failing !== undefined}`);
    step = asking.next(answer);
  }
  return { log, left: bitsOf(step.value.events) };
}

async function withJobs(jobs: number, pass: string, given: Answers): Promise<Asked & { readonly wasted: number }> {
  const repeats = new RepeatedTrials(0.01);
  const runner = new UnhurriedRunner(jobs, given);
  const waits = WaitingReplays.of(origin) as WaitingReplays;
  const trials = new LiveTrials({ runner, repeats, waits, rules, violation: () => violation, onOther: () => {} });
  await trials.repeatedly(initial(given), (next) => repeats.measure(next));
  const result = await asked(pass, given, (candidate) => trials.test(candidate));
  expect(runner.most).toBeLessThanOrEqual(jobs);
  return { ...result, schedules: trials.schedules, wasted: trials.wasted };
}

/** The slow twin: one execution after another, without looking ahead. */
async function oneByOne(pass: string, given: Answers): Promise<Asked> {
  const repeats = new RepeatedTrials(0.01);
  let schedules = 0;
  const executions = (events: readonly Event[]): (() => Promise<Answer>) => {
    let nth = 0;
    return () => {
      schedules += 1;
      const failing = isFailing(given, events, nth++) ? failingFrom([...events]) : undefined;
      return Promise.resolve({ failing, isUnknown: false, ambiguities: [] });
    };
  };
  await repeats.measure(executions(initial(given)));
  const [known, knownQuickly] = [new Map<number, Answer>(), new Map<number, Answer>()];
  const result = await asked(pass, given, async ({ events, isQuick = false }) => {
    const bits = bitsOf(events);
    const before = known.get(bits) ?? (isQuick ? knownQuickly.get(bits) : undefined);
    if (before !== undefined) return before;
    const replay = executions(events);
    const execute = executions(events);
    const answer = await (isQuick ? repeats.testQuickly(execute) : repeats.test(execute, () => replay()));
    if (answer.failing === undefined) (isQuick ? knownQuickly : known).set(bits, answer);
    return answer;
  });
  return { ...result, schedules };
}

test.each(['externals-in-rounds', 'single-externals', 'externals-by-type', 'externals', 'externals-ddmin1999'])(
  '%s: the same answers lead to the same result, by the same questions, with any number of jobs',
  async (pass) => {
    await fc.assert(
      fc.asyncProperty(answers, async (given) => {
        const twin = await oneByOne(pass, given);
        for (const jobs of [1, 2, 4, 8, 64]) {
          const { wasted, ...result } = await withJobs(jobs, pass, given);
          expect(result).toEqual(twin);
          expect(jobs > 1 || wasted === 0).toBe(true);
        }
      }),
      { seed: 1, numRuns: 15 },
    );
  },
);

/** The slow way: all sets that are enough and have no smaller one inside. */
function smallestSets({ needed }: Answers): number[] {
  return needed.filter((set) => !needed.some((other) => other !== set && (other & set) === other));
}

test.each([1, 8])('with %i jobs: rounds end with a set of which nothing can be left out', async (jobs) => {
  await fc.assert(
    fc.asyncProperty(answers, async (given) => {
      const certain = { ...given, rate: 1 };
      expect(smallestSets(certain)).toContain((await withJobs(jobs, 'externals-in-rounds', certain)).left);
    }),
    { seed: 2, numRuns: 60 },
  );
});

/** Every execution takes one unit of a clock that passes when all are under way that can be. */
class TimedRunner extends UnhurriedRunner {
  now = 0;
  private readonly due: (() => void)[] = [];

  override async run(job: TrialJob, signal?: AbortSignal): Promise<TrialResult> {
    await new Promise<void>((resolve) => {
      this.due.push(resolve);
      if (this.due.length === 1) void this.pass();
    });
    if (signal?.aborted === true) throw new GivenUp();
    return resultOf(this.given, job);
  }

  private async pass(): Promise<void> {
    for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => void setImmediate(resolve));
    this.now += 1;
    for (const done of this.due.splice(0)) done();
  }
}

async function unitsWith(jobs: number, given: Answers): Promise<number> {
  const runner = new TimedRunner(jobs, given);
  const repeats = new RepeatedTrials(0.01);
  const waits = WaitingReplays.of(origin) as WaitingReplays;
  const trials = new LiveTrials({ runner, repeats, waits, rules, violation: () => violation, onOther: () => {} });
  await trials.repeatedly(initial(given), (next) => repeats.measure(next));
  await asked('externals-in-rounds', given, (candidate) => trials.test(candidate));
  return runner.now;
}

test('eight jobs need less than a quarter of the time, where executions wait and inputs are independent', async () => {
  for (const needed of [0b10, 0b1000_0000_0010_0000, 0b1000_1000_0010_0000]) {
    const given: Answers = { externals: 16, needed: [needed], rate: 1, seed: 1 };
    const [alone, shared] = [await unitsWith(1, given), await unitsWith(8, given)];
    expect(alone / shared).toBeGreaterThan(4);
  }
});

test('an execution that fails stops the test with its error, and no other one is lost', async () => {
  const given: Answers = { externals: 4, needed: [1], rate: 1, seed: 1 };
  class BrokenRunner extends UnhurriedRunner {
    override run(job: TrialJob, signal?: AbortSignal): Promise<TrialResult> {
      return bitsOf(job.candidate.events) === 0b0011 ? Promise.reject(new Error('no thread')) : super.run(job, signal);
    }
  }
  const repeats = new RepeatedTrials(0.01);
  const waits = WaitingReplays.of(origin) as WaitingReplays;
  const runner = new BrokenRunner(4, given);
  const trials = new LiveTrials({ runner, repeats, waits, rules, violation: () => violation, onOther: () => {} });
  await trials.repeatedly(initial(given), (next) => repeats.measure(next));
  const candidate = (bits: number): CandidateSchedule => ({
    events: initial(given).filter(({ hi }) => (bits & (1 << hi)) !== 0),
    likeness: 'content',
    targets: new Map(),
  });
  const upcoming = { candidates: [candidate(0b0011)], areCertain: true };
  expect((await trials.test({ ...candidate(0b0111), upcoming })).failing).toBeDefined();
  await expect(trials.test(candidate(0b0011))).rejects.toThrow('no thread');
  expect((await trials.test(candidate(0b0001))).failing).toBeDefined();
});
