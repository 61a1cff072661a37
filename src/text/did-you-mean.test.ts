import { expect, test } from 'vitest';
import { didYouMean, nearest } from './did-you-mean.ts';

test.each([
  ['invariant', ['name', 'invariants', 'invariance'], 'invariants'],
  ['recieve', ['start', 'receive'], 'receive'],
  ['exections', ['seed', 'executions'], 'executions'],
  ['Seconds', ['seconds'], 'seconds'],
  ['steps', ['stepsMax', 'time'], 'stepsMax'],
  ['delivery', ['order', 'toAbsent', 'onCrash', 'onCut'], undefined],
  ['b', ['a', 'c'], undefined],
  ['', ['a'], undefined],
])('%s among %j is %s', (name, known, expected) => {
  expect(nearest(name, known)).toBe(expected);
});

test('asks, where there is something to ask', () => {
  expect(didYouMean('lok', ['lock'])).toBe(': did you mean lock?');
  expect(didYouMean('bank', ['lock'])).toBe('');
});
