import { expect, test } from 'vitest';
import { isSameButForNumbers, masked } from './masked.ts';

test.each([
  ['boom', 'boom'],
  ['term 5 has two leaders', 'term # has two leaders'],
  ['entry 3.25 of -17, 1e9 or 0x1F', 'entry # of # or #'],
  ['votes 1, 2, 3 are missing', 'votes # are missing'],
  ['at 12:30:01.250, seed 77', 'at #:#:#, seed #'],
  ['boom\n    at f (/x.ts:12:3)\n    at g (/x.ts:9:1)', 'boom'],
  ['see x.ts:12, line 12', 'see x.ts:#, line #'],
  ['node-3 has no vote of 3f2a-beef', '# has no vote of #'],
  ['application-1/executor-12 is gone', '#/# is gone'],
  ['no file "a b", \'c\' or `d`', 'no file # or #'],
  ["it's the followers' vote", "it's the followers' vote"],
  ["'twas the leader's", "'twas the leader's"],
  ['"one" is not two', '# is not two'],
  ['an open " quotation', 'an open " quotation'],
])('%s is masked as %s', (message, expected) => {
  expect(masked(message, 'Error')).toBe(expected);
});

test.each(['TypeError', 'ReferenceError'])('the code that a %s quotes is left, but for numbers', (name) => {
  expect(masked("Cannot read properties of undefined (reading 'vote')", name)).toBe(
    "Cannot read properties of undefined (reading 'vote')",
  );
  expect(masked("Cannot read properties of undefined (reading '12')", name)).toBe(
    "Cannot read properties of undefined (reading '#')",
  );
});

test.each([
  ['term 5 has two leaders', 'term 12 has two leaders', true],
  ['lock.ts:36: both hold it', 'lock.ts:41: both hold it', true],
  ['client-2 has waited 3.5 s', 'client-2 has waited 12 s', true],
  ['failed\n    at f (x.ts:1:2)', 'failed\n    at g (x.ts:3:4)\n    at h (x.ts:5:6)', true],
  ['term 5 has two leaders', 'term 5 has no leader', false],
  ['"a" holds it', '"b" holds it', false],
])('%s and %s differ only in numbers: %s', (one, other, expected) => {
  expect(isSameButForNumbers(one, other)).toBe(expected);
});
