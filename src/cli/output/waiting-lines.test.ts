import { expect, test } from 'vitest';
import { passingLines, timingLines } from './waiting-lines.ts';

test('messages that pass by rule, or are awaited, are named with the setting that was tried in vain', () => {
  const lines = (passes: boolean, otherInVain?: number): string[] =>
    passingLines([{ rule: 'keepalives', passes, ...(otherInVain === undefined ? {} : { otherInVain }) }]);
  expect([...lines(true), ...lines(true, 20), ...lines(false), ...lines(false, 1)]).toEqual([
    'passed    keepalives: neither awaited nor compared',
    'passed    keepalives: neither awaited nor compared; awaited, the violation did not happen in 20 replays',
    'awaited   keepalives, like all other messages, since a fault of the recording held or dropped one',
    'awaited   keepalives, like all other messages; passed, the violation did not happen in 1 replay',
  ]);
});

test('internal timing is named where the violation happens only sometimes, although every message comes as recorded', () => {
  expect(timingLines(0.5, 3).join()).toContain('in 3 replays without the violation: it depends on internal timing');
  for (const [rate, inVain] of [
    [1, 0],
    [0, 5],
    [0.5, 0],
  ] as const)
    expect(timingLines(rate, inVain)).toEqual([]);
});
