import { expect, test } from 'vitest';
import { cursorIn, hashOf } from './link.ts';

test('a link to an event leads back to it', () => {
  for (const cursor of [
    { side: 0, event: 0 },
    { side: 1, event: 19_999 },
  ] as const) {
    expect(cursorIn(hashOf(cursor))).toEqual(cursor);
  }
  expect(hashOf({ side: 0, event: 16 })).toBe('#17');
});

test.each(['', '#', '#x', '#1x', '#-1', '#<b>', '#1111111111111', '#b'])('%j is no link to an event', (hash) => {
  expect(cursorIn(hash)).toBeUndefined();
});
