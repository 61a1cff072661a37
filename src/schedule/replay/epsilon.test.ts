import { expect, test } from 'vitest';
import { Random } from '../../kernel/data/random.ts';
import { Epsilon } from './epsilon.ts';

const settings = { firstEpsilonMs: 500, epsilonMs: 100 };

test('the first replay waits longest, and the next ones as set until an event was awaited', () => {
  const epsilon = new Epsilon(settings);
  expect(epsilon.ms).toBe(500);
  epsilon.learn([]);
  expect(epsilon.ms).toBe(100);
  epsilon.learn([0, 3, 12]);
  expect(epsilon.ms).toBe(12 + 25);
});

test('one event in a hundred may come later', () => {
  const epsilon = new Epsilon(settings);
  epsilon.learn([...Array.from({ length: 99 }, () => 4), 900]);
  expect(epsilon.ms).toBe(4 + 25);
  epsilon.learn([900]);
  expect(epsilon.ms).toBe(900 + 25);
});

test('the latest thousand events count', () => {
  const epsilon = new Epsilon(settings);
  epsilon.learn(Array.from({ length: 1000 }, () => 300));
  epsilon.learn(Array.from({ length: 1000 }, () => 1));
  expect(epsilon.ms).toBe(1 + 25);
});

test('the smallest number of milliseconds within which 99 % of the events came, counted one by one', () => {
  const random = Random.seeded(1, 1);
  for (let round = 0; round < 200; round++) {
    const lateness = Array.from({ length: 1 + random.below(300) }, () => random.below(1 + random.below(50)));
    const epsilon = new Epsilon(settings);
    epsilon.learn(lateness);
    let enough = 0;
    while (lateness.filter((ms) => ms <= enough).length < 0.99 * lateness.length) enough += 1;
    expect(epsilon.ms).toBe(enough + 25);
  }
});
