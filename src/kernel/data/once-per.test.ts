import { expect, test } from 'vitest';
import { oncePer } from './once-per.ts';

test('each object is evaluated once, whichever was asked about last, and undefined is an answer', () => {
  const evaluated: object[] = [];
  const [one, other] = [{ value: 1 }, { value: undefined }];
  const valueOf = oncePer((given: { readonly value: number | undefined }) => {
    evaluated.push(given);
    return given.value;
  });
  expect([one, one, other, other, one, other].map(valueOf)).toEqual([1, 1, undefined, undefined, 1, undefined]);
  expect(evaluated).toEqual([one, other]);
});

test('an object whose evaluation threw is evaluated again', () => {
  let isBroken = true;
  const answer = oncePer((_given: object) => {
    if (isBroken) throw new Error('broken');
    return 'whole';
  });
  const given = {};
  expect(() => answer(given)).toThrow('broken');
  isBroken = false;
  expect(answer(given)).toBe('whole');
});
