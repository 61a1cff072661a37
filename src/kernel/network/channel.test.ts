import { expect, test } from 'vitest';
import { Random } from '../data/random.ts';
import { Channel, type InFlight } from './channel.ts';

const message = (cause: number, nth: number): InFlight =>
  ({
    kind: 'deliver',
    process: 'b',
    from: 'a',
    cause,
    nth,
    hi: cause,
    lo: nth,
    at: 1,
    fromAt: 0,
  }) as unknown as InFlight;

test('takes any message out, in channels of any size, also where messages came back or were held', () => {
  for (let seed = 0; seed < 100; seed++) {
    const random = Random.seeded(seed, 7);
    const channel = new Channel(1, 0, 0, {}, undefined);
    let expected: InFlight[] = [];
    const isInOrder = seed % 2 === 0;
    for (let cause = 0; cause < 1 + random.below(40); cause++) {
      for (let nth = 0; nth < random.below(6); nth++) {
        const added = message(isInOrder ? cause : random.below(40), nth);
        channel.add(added);
        expected.push(added);
      }
    }
    while (expected.length > 0) {
      const taken = random.pick(expected);
      channel.take(taken);
      expected = expected.filter((other) => other !== taken);
      expect(channel.list(), `seed ${seed}`).toEqual(expected);
      expect(channel.first).toBe(expected[0]);
    }
  }
});

test('takes messages from the middle, the start and the end of a long channel, and forks of it stay apart', () => {
  const random = Random.seeded(5, 7);
  let channel = new Channel(1, 0, 0, {}, undefined);
  let expected = Array.from({ length: 9_000 }, (_, nth) => message(1, nth));
  for (const each of expected) channel.add(each);
  while (expected.length > 0) {
    const fork = channel.copyFor({});
    const before = expected;
    const takes = Math.min(expected.length, 1 + random.below(900));
    const isFromStart = random.below(3) === 0;
    for (let count = 0; count < takes; count++) {
      const taken = isFromStart ? (expected[0] as InFlight) : random.pick(expected);
      channel.take(taken);
      expected = expected.filter((other) => other !== taken);
    }
    const added = message(2, random.below(1_000));
    if (expected.length > 4_000) {
      channel.add(added);
      expected.push(added);
    }
    // Without `toEqual`: the lists are long.
    expect(sameList(channel.list(), expected)).toBe(true);
    expect(sameList(fork.list(), before)).toBe(true);
    expect(channel.size).toBe(expected.length);
    expect(channel.first).toBe(expected[0]);
    for (const each of before.slice(0, 20)) expect(channel.has(each)).toBe(expected.includes(each));
    if (random.below(4) === 0) channel = channel.copyFor({});
  }
});

const sameList = (one: readonly InFlight[], other: readonly InFlight[]): boolean =>
  one.length === other.length && one.every((each, at) => each === other[at]);
