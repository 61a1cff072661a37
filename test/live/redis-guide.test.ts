import { expect, inject, test } from 'vitest';
import { exampleOf } from '../guide-with-programs.ts';

test('the example of the guide that needs Redis prints its documented output', () => {
  const found = inject('programs').redisServer;
  if ('problem' in found) throw new Error(found.problem);
  const { printed, documented } = exampleOf('docs/guide/tcp.md', 'redis-server');
  expect(printed).toEqual(documented);
});
