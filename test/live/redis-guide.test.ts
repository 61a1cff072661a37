import { inject, test } from 'vitest';
import { expectExample } from '../guide-with-programs.ts';

test('the example of the guide that needs Redis prints its documented output', () => {
  const found = inject('programs').redisServer;
  if ('problem' in found) throw new Error(found.problem);
  expectExample('docs/guide/tcp.md', 'redis-server');
});
