import type { Answer, Failing } from './pass.ts';
import { rateAtLeast, RateTest, Silence } from './sequential-probability-ratio.ts';

/** How often an execution came when it was replayed. */
export interface Reproduction {
  /** From 0 to 1: in what part of the replays. */
  readonly rate: number;
  readonly replays: number;
}

/** An execution that comes less often than this is not waited for. */
const RATE_MIN = 0.05;

/** An execution is replayed until it has come so often, but not for ever. */
const ENOUGH = 20;
const REPLAYS_MAX = 1_000;

/**
 * Executes candidates of a system that is not deterministic: often enough, and not more often, to tell what fails from what
 * does not. How often follows from the rate at which the best execution so far comes when it is replayed. A candidate that
 * fails at least as often, and leads to what comes at least as often, is lost with a chance of at most `error`: a third of it
 * is for overrating the best, a third for giving up before it fails, and a third for underrating what it leads to.
 */
export class Repeats {
  /** What the best has at least. */
  private rate = 0;

  constructor(private readonly error: number) {}

  private get share(): number {
    return this.error / 3;
  }

  /** Replays the best until its rate is known well enough; undefined where it never comes. */
  async measure(replay: () => Promise<Failing | undefined>): Promise<Reproduction | undefined> {
    const never = new Silence(RATE_MIN, this.error);
    let [came, replays] = [0, 0];
    while (came < ENOUGH && replays < REPLAYS_MAX) {
      replays += 1;
      if ((await replay()) !== undefined) came += 1;
      else if (came === 0 && never.nothing()) return undefined;
    }
    this.rate = rateAtLeast(came, replays, this.share);
    return { rate: came / replays, replays };
  }

  /** Executes the candidate until it fails or ought to have; what it led to must come often enough when it is replayed. */
  async ask(
    execute: () => Promise<Answer>,
    replay: (failing: Failing) => Promise<Failing | undefined>,
  ): Promise<Answer> {
    const silence = new Silence(this.rate, this.share);
    for (let isUnknown = false; ;) {
      const answer = await execute();
      const { failing } = answer;
      isUnknown ||= answer.isUnknown;
      if (failing !== undefined)
        return (await this.isOftenEnough(() => replay(failing))) ? answer : { ...answer, failing: undefined };
      if (silence.nothing()) return { ...answer, isUnknown };
    }
  }

  private async isOftenEnough(replay: () => Promise<Failing | undefined>): Promise<boolean> {
    const test = new RateTest(this.rate, tolerated(this.rate), this.share);
    for (;;) {
      const decided = test.add((await replay()) !== undefined);
      if (decided !== undefined) return decided === 'enough';
    }
  }
}

/**
 * A rate that is no longer good enough beside the best: what is simpler may come less often, as there are fewer chances left
 * in it. Not less often than is worth waiting for, so that it does not go down for ever.
 */
const tolerated = (best: number): number => Math.min(Math.max(best / 4, RATE_MIN), best / 2);

/**
 * How often a violation has to come in a row before one replay of each candidate is enough. At a rate p a candidate is lost
 * with a chance of 1 - p, and n replays in a row do not show that with a chance of p^n: together at most 1 / (e n).
 */
export const replaysInARow = (error: number): number => Math.ceil(1 / (Math.E * error));
