import { expect, test } from 'vitest';
import { masked } from './masked.ts';

test.each([
  ['boom', 'boom'],
  ['term 5 has two leaders', 'term # has two leaders'],
  ['entry 3.25 of -17, 1e9 or 0x1F', 'entry # of #, # or #'],
  ['node-3 has no vote of 3f2a-beef', '# has no vote of #'],
  ['application-1/executor-12 is gone', '#/# is gone'],
  ['no file "a b", \'c\' or `d`', 'no file #, # or #'],
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
