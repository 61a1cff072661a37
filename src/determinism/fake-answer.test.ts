import { expect, test } from 'vitest';
import { FakeAnswer, type Series } from './fake-answer.ts';

const float = (series: Series, nth: number): number => new FakeAnswer(series, nth).float;

test('every number is low in one series or high in the other, whichever it is', () => {
  for (let nth = 0; nth < 100; nth++)
    expect({ nth, found: float('small', nth) === 0 || float('large', nth) > 0.999_999 }).toEqual({ nth, found: true });
});

test.each(['plain', 'small', 'large'] as const)(
  'code that draws until it likes a number comes to an end: %s',
  (series) => {
    const between = Array.from({ length: 100 }, (_, nth) => float(series, nth)).filter(
      (number) => Math.abs(number - 0.5) < 0.25,
    );
    expect(between.length).toBeGreaterThan(5);
  },
);

test('numbers that are in between are others in each series', () => {
  expect(new Set((['plain', 'small'] as const).map((series) => float(series, 3))).size).toBe(2);
  expect(new Set((['plain', 'large'] as const).map((series) => float(series, 2))).size).toBe(2);
});
