import type { Answer, Failing } from './pass.ts';
import { lowerBoundOfRate, type Interval } from '../execution/rate.ts';
import { RateTest, AbsenceTest } from './sequential-probability-ratio.ts';

/** How often replays of an execution show the violation. */
export interface Reproduction {
  /** The share of replays, from 0 to 1. */
  readonly rate: number;
  readonly replays: number;
  /** How many of the replays show nothing, if any: see `WaitingReport.isEarly`. They count as if nothing had happened. */
  readonly unknown?: number;
  /** Replays without the violation in which every message came as recorded, if any: what differed was inside a process. */
  readonly asRecordedInVain?: number;
  /** Where events appear by themselves: the true rate is in this interval, with 95 % confidence. */
  readonly interval?: Interval;
}

/** A quick test loses a candidate that fails as often as the best with at most this probability. */
const QUICK_ERROR = 0.3;

/** Whether a replay failed, or shows nothing. */
type ReplayAnswer = Pick<Answer, 'failing' | 'isUnknown' | 'isAsRecorded'>;

/** Executions with a lower rate are given up. */
const RATE_MIN = 0.05;

/** An execution is replayed until the violation has happened this often, or the limit is reached. */
export const ENOUGH = 20;
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

  constructor(
    private readonly error: number,
    /** After so many replays in which it does not happen, the violation is given up, however rare it may be. */
    private readonly missesMax = Number.POSITIVE_INFINITY,
  ) {}

  private get share(): number {
    return this.error / 3;
  }

  /** How many executions of a candidate decide that it does not fail, and how many replays that it fails often enough. */
  likely(isQuick: boolean): { readonly executions: number; readonly replays: number } {
    const { rate, share } = this;
    if (rate === 0) return { executions: 1, replays: 1 };
    return {
      executions: rate >= 1 ? 1 : Math.ceil(Math.log(isQuick ? QUICK_ERROR : share) / Math.log(1 - rate)),
      replays: Math.ceil(Math.log(1 / share) / Math.log(rate / rejectedRate(rate))),
    };
  }

  /**
   * Replays the best execution until its rate is known well enough, or it seems never to fail. When the time is over, `ENOUGH`
   * replays have to do: a rare violation would take hundreds.
   */
  async measure(replay: () => Promise<ReplayAnswer>, isTimeOver: () => boolean = () => false): Promise<Reproduction> {
    const never = new AbsenceTest(RATE_MIN, this.error);
    let [came, replays, unknown, asRecordedInVain] = [0, 0, 0, 0];
    while (came < ENOUGH && replays < (isTimeOver() ? ENOUGH : REPLAYS_MAX)) {
      const { failing, isUnknown, isAsRecorded } = await replay();
      replays += 1;
      if (isUnknown) unknown += 1;
      if (failing === undefined && !isUnknown && isAsRecorded === true) asRecordedInVain += 1;
      if (failing !== undefined) came += 1;
      else if (came === 0 && (never.addMiss() || replays >= this.missesMax)) break;
    }
    // Too low a rate only means that candidates are executed more often.
    this.rate = lowerBoundOfRate(came, replays, this.share);
    return {
      rate: came / replays,
      replays,
      ...(unknown === 0 ? {} : { unknown }),
      ...(asRecordedInVain === 0 ? {} : { asRecordedInVain }),
    };
  }

  /**
   * Executes the candidate until it fails, or would have failed at the rate of the best. The failing execution is then
   * replayed to check its rate.
   */
  async test(execute: () => Promise<Answer>, replay: (failing: Failing) => Promise<ReplayAnswer>): Promise<Answer> {
    const answer = await this.firstFailing(execute, this.share);
    const { failing } = answer;
    return failing === undefined ? answer : { ...answer, ...(await this.oftenEnough(failing, () => replay(failing))) };
  }

  /** The same with as few executions as say something: which candidates are worth a test. */
  async testQuickly(execute: () => Promise<Answer>): Promise<Answer> {
    return { ...(await this.firstFailing(execute, QUICK_ERROR)), isTentative: true };
  }

  /** The first execution that fails, or the last one of as many as decide. Those that show nothing decide when they are as many themselves. */
  private async firstFailing(execute: () => Promise<Answer>, error: number): Promise<Answer> {
    const [silence, darkness] = [new AbsenceTest(this.rate, error), new AbsenceTest(this.rate, error)];
    for (;;) {
      const answer = await execute();
      if (answer.failing !== undefined || (answer.isUnknown ? darkness : silence).addMiss()) return answer;
    }
  }

  /** The execution if it fails often enough. It may do so if it was rejected by replays that show nothing. */
  private async oftenEnough(failing: Failing, replay: () => Promise<ReplayAnswer>): Promise<ReplayAnswer> {
    const test = new RateTest(this.rate, rejectedRate(this.rate), this.share);
    for (let isUnknown = false; ;) {
      const again = await replay();
      isUnknown ||= again.isUnknown;
      const decided = test.add(again.failing !== undefined);
      if (decided === 'enough') return { failing, isUnknown: false };
      if (decided === 'lower') return { failing: undefined, isUnknown };
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
