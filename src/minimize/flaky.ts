import type { Answer, Failing } from './pass.ts';
import { lowerBoundOfRate } from '../execution/rate.ts';
import { RateTest, AbsenceTest } from './sequential-probability-ratio.ts';

/** How often replays of an execution show the violation. */
export interface Reproduction {
  /** The share of replays, from 0 to 1. */
  readonly rate: number;
  readonly replays: number;
}

/** Executions with a lower rate are given up. */
const RATE_MIN = 0.05;

/** An execution is replayed until the violation has happened this often, or the limit is reached. */
const ENOUGH = 20;
const REPLAYS_MAX = 1_000;

/**
 * Executes candidates of a system that is not deterministic, as often as needed to tell failing candidates from others.
 * The number follows from the rate at which the best execution so far fails when it is replayed. A candidate that fails
 * at least as often, and leads to an execution that fails at least as often, is lost with a probability of at most
 * `error`: one third for overrating the best execution, one third for giving up too early, and one third for
 * underrating the execution that it leads to.
 */
export class RepeatedTrials {
  /** A lower bound of the rate of the best execution. */
  private rate = 0;

  constructor(private readonly error: number) {}

  private get share(): number {
    return this.error / 3;
  }

  /** Replays the best execution until its rate is known well enough; undefined if it never fails. */
  async measure(replay: () => Promise<Failing | undefined>): Promise<Reproduction | undefined> {
    const never = new AbsenceTest(RATE_MIN, this.error);
    let [came, replays] = [0, 0];
    while (came < ENOUGH && replays < REPLAYS_MAX) {
      replays += 1;
      if ((await replay()) !== undefined) came += 1;
      else if (came === 0 && never.addMiss()) return undefined;
    }
    this.rate = lowerBoundOfRate(came, replays, this.share);
    return { rate: came / replays, replays };
  }

  /**
   * Executes the candidate until it fails, or would have failed at the rate of the best. The failing execution is then
   * replayed to check its rate.
   */
  async test(
    execute: () => Promise<Answer>,
    replay: (failing: Failing) => Promise<Failing | undefined>,
  ): Promise<Answer> {
    const silence = new AbsenceTest(this.rate, this.share);
    for (let isUnknown = false; ;) {
      const answer = await execute();
      const { failing } = answer;
      isUnknown ||= answer.isUnknown;
      if (failing !== undefined)
        return (await this.isOftenEnough(() => replay(failing))) ? answer : { ...answer, failing: undefined };
      if (silence.addMiss()) return { ...answer, isUnknown };
    }
  }

  private async isOftenEnough(replay: () => Promise<Failing | undefined>): Promise<boolean> {
    const test = new RateTest(this.rate, rejectedRate(this.rate), this.share);
    for (;;) {
      const decided = test.add((await replay()) !== undefined);
      if (decided !== undefined) return decided === 'enough';
    }
  }
}

/**
 * The rate at which an execution is rejected. A simpler execution may fail less often, because it leaves less to
 * chance, but not below `RATE_MIN`, so that the rate does not sink without end.
 */
const rejectedRate = (best: number): number => Math.min(Math.max(best / 4, RATE_MIN), best / 2);

/**
 * How many replays in a row must fail before one execution of each candidate is enough. At a rate p, a candidate is
 * lost with probability 1 - p, and n replays in a row hide that with probability p^n: together at most 1 / (e n).
 */
export const replaysInARow = (error: number): number => Math.ceil(1 / (Math.E * error));
