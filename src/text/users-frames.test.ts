import { expect, test } from 'vitest';
import { usersFrames } from './users-frames.ts';

const root = new URL('../../', import.meta.url).pathname;

test('frames of the user stay, and those of culprit and Node go', () => {
  const stack = [
    'Error: boom',
    'at the second line of its message',
    '    at check (/app/lock.ts:2:75)',
    '    at Array.every (<anonymous>)',
    '    at bad (file:///app/lock.ts:7:91)',
    `    at ask (file://${root}dist/shared/RNYV6F5E.js:3536:15)`,
    `    at judge (${root}src/oracles/invariants.ts:5:1)`,
    '    at execution.next (<anonymous>)',
    '    at /app/lock.test.ts:3:4',
    '    at processTicksAndRejections (node:internal/process/task_queues:105:5)',
  ];
  expect(usersFrames(stack.join('\n'))).toBe([...stack.slice(0, 3), stack[4], stack[8]].join('\n'));
});

test('an error of culprit keeps its message alone', () => {
  const stack = ['TypeError: x is not iterable', `    at ask (file://${root}dist/shared/RNYV6F5E.js:3:15)`];
  expect(usersFrames(stack.join('\n'))).toBe('TypeError: x is not iterable');
});

test('what has no frames stays as it is', () => {
  expect(usersFrames('a text\nof two lines')).toBe('a text\nof two lines');
});
