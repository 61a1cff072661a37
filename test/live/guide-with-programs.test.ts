import { expect, inject, test } from 'vitest';
import { exampleOf } from '../guide-with-programs.ts';

test.each([
  ['redisServer', 'redis-server', 'docs/guide/tcp.md'],
  ['libfaketime', 'libfaketime', 'docs/guide/live-programs.md'],
] as const)('the example of the guide that needs %s prints its documented output', (name, mark, page) => {
  const found = inject('programs')[name];
  if ('problem' in found) throw new Error(found.problem);
  const { printed, documented } = exampleOf(page, mark);
  expect(printed).toEqual(documented);
});
