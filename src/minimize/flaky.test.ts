import { expect, test } from 'vitest';
import { Random } from '../kernel/data/random.ts';
import type { Answer, Failing } from './pass.ts';
import { RepeatedTrials, replaysInARow } from './flaky.ts';

const failing = {} as Failing;
const ERROR = 0.01;

/** Fails at a rate, by chance, and counts how often it was executed. */
class Coin {
  times = 0;

  constructor(
    private readonly random: Random,
    private readonly rate: number,
  ) {}

  readonly replay = (): Promise<Answer> => {
    this.times += 1;
    const answer = this.random.float() < this.rate ? failing : undefined;
    return Promise.resolve({ failing: answer, isUnknown: false, ambiguities: [] });
  };
}

async function isKept(random: Random, best: number, candidate: number): Promise<boolean> {
  const repeats = new RepeatedTrials(ERROR);
  await repeats.measure(new Coin(random, best).replay);
  const coin = new Coin(random, candidate);
  return (await repeats.test(coin.replay, coin.replay)).failing !== undefined;
}

test.each([0.9, 0.5, 0.3])('what fails as often as the best, at %d, is lost less often than stated', async (rate) => {
  const random = Random.seeded(1, rate * 10);
  const runs = 3_000;
  let lost = 0;
  for (let run = 0; run < runs; run++) if (!(await isKept(random, rate, rate))) lost += 1;
  expect(lost / runs).toBeLessThan(ERROR);
});

test('a rare violation is replayed no more than 20 times when the time is over', async () => {
  const coin = new Coin(Random.seeded(5, 0), 0.1);
  const { replays } = await new RepeatedTrials(ERROR).measure(coin.replay, () => coin.times >= 2);
  expect(replays).toBe(20);
});

test('what fails far less often than the best is not kept', async () => {
  const random = Random.seeded(2, 0);
  let kept = 0;
  for (let run = 0; run < 1_000; run++) if (await isKept(random, 0.9, 0.05)) kept += 1;
  expect(kept / 1_000).toBeLessThan(ERROR);
});

test('what cannot fail is executed as often as the closed form says, and no more', async () => {
  const repeats = new RepeatedTrials(ERROR);
  expect(await repeats.measure(new Coin(Random.seeded(3, 0), 1).replay)).toEqual({ rate: 1, replays: 20 });
  const never = new Coin(Random.seeded(3, 0), 0);
  expect((await repeats.test(never.replay, never.replay)).failing).toBeUndefined();
  // 20 of 20 mean a rate of at least r where r^20 is a third of the error, and (1 - r)^m is to be as small.
  const least = (ERROR / 3) ** (1 / 20);
  expect(never.times).toBe(Math.ceil(Math.log(ERROR / 3) / Math.log(1 - least)));
});

test('a best that never comes is given up after as many replays as the lowest rate asks for', async () => {
  const never = new Coin(Random.seeded(4, 0), 0);
  expect(await new RepeatedTrials(ERROR).measure(never.replay)).toMatchObject({ rate: 0 });
  expect(never.times).toBe(Math.ceil(Math.log(ERROR) / Math.log(0.95)));
});

test('a replay whose verdict is unknown does not count as one in which every message came and nothing was violated', async () => {
  const answers = [
    { failing: undefined, isUnknown: true, isAsRecorded: true },
    { failing: undefined, isUnknown: false, isAsRecorded: true },
  ];
  const always = { ...(await new Coin(Random.seeded(5, 0), 1).replay()), isAsRecorded: true };
  const replay = (): Promise<typeof always> => Promise.resolve({ ...always, ...answers.pop() });
  expect(await new RepeatedTrials(ERROR).measure(replay)).toMatchObject({ unknown: 1, asRecordedInVain: 1 });
});

test('so many replays in a row leave the stated chance of losing a candidate unnoticed, at whatever rate', () => {
  for (const error of [0.1, 0.01, 0.001]) {
    const replays = replaysInARow(error);
    const worst = (count: number): number =>
      Math.max(...Array.from({ length: 9_999 }, (_, at) => (1 - (at + 1) / 10_000) * ((at + 1) / 10_000) ** count));
    expect(worst(replays)).toBeLessThanOrEqual(error);
    expect(worst(replays - 1)).toBeGreaterThan(error);
  }
});
