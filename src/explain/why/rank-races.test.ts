import { expect, test } from 'vitest';
import { candidateRaces, mostEffective, type HelpfulChange } from './rank-races.ts';

const helpful = (event: number, distance: number, more: Partial<HelpfulChange> = {}): HelpfulChange => ({
  event,
  change: 'earlier',
  isDirect: true,
  distance,
  ...more,
});

test('events of one process come before others', () => {
  const [direct, apart] = [helpful(3, 5), helpful(4, 1, { isDirect: false })];
  expect(candidateRaces([direct, apart])).toEqual([direct]);
  expect(candidateRaces([apart])).toEqual([apart]);
});

test('what never happened is named only where it takes less of a change', () => {
  const added = helpful(9, 4, { change: 'added' });
  expect(candidateRaces([added, helpful(3, 4)])).toEqual([helpful(3, 4)]);
  expect(candidateRaces([added, helpful(3, 5)])).toEqual([added]);
  expect(candidateRaces([added])).toEqual([added]);
});

test('the ten nearest are weighed', () => {
  const all = Array.from({ length: 12 }, (_, at) => helpful(at, 12 - at));
  expect(candidateRaces(all).map(({ event }) => event)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
});

test('the one that does most for each event that it changes is the weightiest; of equals the last', () => {
  const [near, far, strong] = [helpful(1, 1), helpful(2, 10), helpful(3, 3)];
  expect(
    mostEffective([
      { helpful: near, effect: 0.1 },
      { helpful: far, effect: 0.9 },
    ]),
  ).toBe(near);
  expect(
    mostEffective([
      { helpful: near, effect: 0.1 },
      { helpful: strong, effect: 0.9 },
    ]),
  ).toBe(strong);
  expect(
    mostEffective([
      { helpful: near, effect: 0.1 },
      { helpful: far, effect: 1 },
    ]),
  ).toBe(far);
  expect(mostEffective([])).toBeUndefined();
});
