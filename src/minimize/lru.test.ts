import { expect, test } from 'vitest';
import { Lru } from './lru.ts';

test('forgets the oldest where there are too many', () => {
  const memory = new Lru<number>(2);
  for (const [at, key] of ['a', 'b', 'c'].entries()) memory.keep(key, at);
  expect(['a', 'b', 'c'].map((key) => memory.get(key))).toEqual([undefined, 1, 2]);
});
