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
