import type { WaitingReplays } from '../execution/waiting-replay.ts';
import { WaitingReport } from '../schedule/replay/waiting-report.ts';
import type { Event } from '../trace/event.ts';
import type { Violated } from '../trace/verdict.ts';
import type { SessionRunner } from '../workers/session-runner.ts';
import { ExecutionSlots, Series, type Wanted } from './execution-slots.ts';
import { ENOUGH, type RepeatedTrials } from './flaky.ts';
import { Lru } from './lru.ts';
import type { Answer, CandidateSchedule, Failing } from './pass.ts';
import type { Renaming } from './passes/renaming.ts';
import type { Rules } from './rules.ts';
import type { PlainFailing, TrialJob, TrialResult } from './trial-jobs.ts';
import { exactCandidate, keyOf } from './candidates.ts';
import type { Trials } from './trials.ts';

export interface LiveTrialOptions {
  readonly runner: SessionRunner<TrialJob, TrialResult>;
  /** Decides how often candidates are executed. */
  readonly repeats: RepeatedTrials;
  /** What replays learn from one another. */
  readonly waits: WaitingReplays;
  readonly rules: Rules;
  /** The violation that is minimized; with a renaming, its processes have new names. */
  readonly violation: (renaming: Renaming | undefined) => Violated;
  /** Receives executions with other violations. */
  readonly onOther: (other: Failing) => void;
}

/** The number of candidates that are remembered as not failing. */
const REMEMBERED_MAX = 100_000;

type TrialSeries = Series<TrialJob, TrialResult>;

/**
 * Executes candidates of a system whose processes act by themselves: each as often as the sequential test asks for, and several
 * executions side by side where there are several jobs. Answers are given in the order of the questions, and follow from the results
 * of numbered executions. So the same results give the same answers with any number of jobs.
 */
export class LiveTrials implements Trials {
  schedules = 0;
  events = 0;
  private readonly slots: ExecutionSlots<TrialJob, TrialResult>;
  private readonly answers = new Lru<Answer>(REMEMBERED_MAX);
  /** The executions that candidates are parts of. A pass begins with one of them. */
  private readonly recordings: (readonly Event[])[] = [];
  /** The tests under way, in the order in which their answers count. */
  private tests: LiveTest[] = [];

  constructor(private readonly options: LiveTrialOptions) {
    const { runner, waits } = options;
    const learn = ({ candidate }: TrialJob, { waited }: TrialResult): void =>
      void waits.learn(candidate.events, waited);
    this.slots = new ExecutionSlots(runner, () => this.wanted(), learn);
  }

  get wasted(): number {
    return this.slots.begun - this.counted;
  }

  /** The number of executions whose outcome counted. Unlike `schedules` without the prefixes that were replayed to peek. */
  private counted = 0;

  rebase({ events }: Failing): void {
    this.recordings.push(events);
  }

  clear(): void {
    this.answers.clear();
    this.tests = [];
  }

  async test(candidate: CandidateSchedule): Promise<Answer> {
    const known = this.known(candidate);
    if (known !== undefined) return known;
    this.plan(candidate);
    const test = this.tests[0] as LiveTest;
    const answer = await test.answer;
    this.enter(test);
    const counts = countsOf(test.counted);
    if (answer.failing === undefined) this.answers.keep(test.key, { ...answer, counts });
    return { ...answer, counts };
  }

  async repeatedly<T>(events: readonly Event[], use: (next: () => Promise<Answer>) => Promise<T>): Promise<T> {
    const candidate = exactCandidate(events);
    const test = new LiveTest(keyOf(candidate), true);
    test.series = this.seriesOf(candidate, ENOUGH);
    this.tests = [test];
    const next = (): Promise<Answer> => this.nextAnswer(test);
    try {
      return await use(next);
    } finally {
      this.enter(test);
    }
  }

  /** The answer if it was given before: a thorough one will do for a quick question. */
  private known(candidate: CandidateSchedule): Answer | undefined {
    return this.answers.get(keyOf(candidate)) ?? this.answers.get(questionOf(candidate));
  }

  /** The candidate is tested now, and so are those that the pass asks about next. All other tests are over. */
  private plan(candidate: CandidateSchedule): void {
    const { candidates = [], areCertain = false } = candidate.upcoming ?? {};
    // Of those that may not be asked about at all, no more can be executed at a time.
    const ahead = areCertain ? candidates : firstOf(candidates, this.slots.jobs > 1 ? this.slots.jobs : 0);
    const planned = [candidate, ...ahead].flatMap((one, at): LiveTest[] => {
      if (this.known(one) !== undefined) return [];
      const key = questionOf(one);
      const isCertain = at === 0 || areCertain;
      const known = this.tests.find((test) => test.key === key);
      if (known === undefined) return [this.begun(one, key, isCertain)];
      known.isCertain = isCertain;
      return [known];
    });
    this.tests = planned;
    this.slots.changed();
  }

  private begun(candidate: CandidateSchedule, key: string, isCertain: boolean): LiveTest {
    const test = new LiveTest(key, isCertain);
    const { repeats } = this.options;
    const { isQuick = false } = candidate;
    const { executions, replays } = repeats.likely(isQuick);
    test.series = this.seriesOf(candidate, executions);
    const next = (): Promise<Answer> => this.nextAnswer(test);
    const replay = (failing: Failing): Promise<Answer> => {
      if (test.replayed !== failing) {
        test.replayed = failing;
        test.series = this.seriesOf({ ...exactCandidate(failing.events), ...renamingOf(candidate) }, replays);
      }
      return next();
    };
    test.answer = isQuick ? repeats.testQuickly(next) : repeats.test(next, replay);
    // A test that is no longer needed is never awaited.
    test.answer.catch(() => undefined);
    return test;
  }

  private seriesOf(candidate: CandidateSchedule, likely: number): TrialSeries {
    const { events, likeness, choices, targets, renaming, unexpected } = candidate;
    const [first] = events;
    const recording = (first && this.recordings.findLast((all) => all.includes(first))) ?? events;
    const job = (nth: number): TrialJob => ({
      nth,
      candidate: { events, likeness, choices, targets },
      recording,
      known: this.options.waits.knownOf(events, recording, unexpected),
      violation: this.options.violation(renaming),
    });
    return new Series(job, likely, () => this.slots.changed());
  }

  private async nextAnswer(test: LiveTest): Promise<Answer> {
    const result = await (test.series as TrialSeries).next();
    test.counted.push(result);
    const { violated, isUnknown, whyUnknown, ambiguities, waited } = result;
    const failing = violated?.isSame === true ? this.failingFrom(violated.failing) : undefined;
    const { isAsRecorded } = WaitingReport.from(waited.report);
    return { failing, isUnknown, isAsRecorded, ambiguities, ...(whyUnknown === undefined ? {} : { whyUnknown }) };
  }

  /** The results of a test count from now on. */
  private enter(test: LiveTest): void {
    this.tests = this.tests.filter((other) => other !== test);
    for (const { events, waited, violated } of test.counted) {
      this.counted += 1;
      this.schedules += 1 + waited.peeks;
      this.events += events;
      if (violated?.isSame === false) this.options.onOther(this.failingFrom(violated.failing));
    }
    this.slots.changed();
  }

  private failingFrom({ undelivered, ...plain }: PlainFailing): Failing {
    this.options.waits.knows(plain.events, undelivered);
    return { ...plain, paths: () => undefined, shortcuts: () => [], rules: this.options.rules };
  }

  /**
   * What the tests await comes first. Where there is room, executions are begun that tests are likely to await, and the tests that are
   * needed only if the answers before them are no.
   */
  private wanted(): Wanted<TrialJob, TrialResult>[] {
    const certain = this.tests.filter(({ isCertain }) => isCertain);
    const needed = certain.flatMap((test) => test.wanted('demanded', true));
    if (this.slots.jobs === 1) return needed;
    const others = this.tests.filter(({ isCertain }) => !isCertain);
    return [
      ...needed,
      ...certain.flatMap((test) => test.wanted('expected', false)),
      ...others.flatMap((test) => [...test.wanted('demanded', false), ...test.wanted('expected', false)]),
    ];
  }
}

function* firstOf<T>(items: Iterable<T>, most: number): Generator<T> {
  let left = most;
  if (left > 0) for (const item of items) if ((yield item, --left === 0)) return;
}

/** Quick and thorough questions about a candidate have answers of their own. */
const questionOf = (candidate: CandidateSchedule): string =>
  `${keyOf(candidate)}${candidate.isQuick === true ? ' quickly' : ''}`;

const countsOf = (results: readonly TrialResult[]): NonNullable<Answer['counts']> => ({
  replays: results.length,
  reproduced: results.filter(({ violated }) => violated?.isSame === true).length,
  unknown: results.filter(({ isUnknown }) => isUnknown).length,
});

const renamingOf = ({ renaming }: CandidateSchedule): Pick<CandidateSchedule, 'renaming'> =>
  renaming === undefined ? {} : { renaming };

/** A candidate that is being tested. */
class LiveTest {
  answer: Promise<Answer> = Promise.resolve({ failing: undefined, isUnknown: false, ambiguities: [] });
  /** The executions of the schedule that the test is about now: the candidate, or the execution that it led to. */
  series: TrialSeries | undefined;
  replayed: Failing | undefined;
  /** The results that the answer follows from, in their order. */
  readonly counted: TrialResult[] = [];

  constructor(
    readonly key: string,
    /** Whether the answer is needed in any case. */
    public isCertain: boolean,
  ) {}

  wanted(which: 'demanded' | 'expected', isNeeded: boolean): Wanted<TrialJob, TrialResult>[] {
    const { series } = this;
    return series === undefined ? [] : series[which].map((nth) => ({ series, nth, isNeeded }));
  }
}
