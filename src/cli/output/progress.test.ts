import { expect, test } from 'vitest';
import type { SearchProgress } from '../../hunt/report.ts';
import { huntingLine } from './progress.ts';

const progress: SearchProgress = {
  executions: 1200,
  executionsMax: 10_000,
  secondsMax: Number.POSITIVE_INFINITY,
  events: 48_000,
  distinct: 1100,
  marks: 0,
  marksReached: 0,
  elapsedMs: 2000,
};

test('a hunt shows its executions and events', () => {
  expect(huntingLine(progress)).toBe('hunting   1,200 executions (600/s), 24,000 events/s, 1,100 distinct, 15 s left');
  expect(huntingLine({ ...progress, marks: 3, marksReached: 2 })).toContain('1,100 distinct, 2 of 3 marks, 15 s left');
});

test('of a network it shows inputs and messages of the last execution', () => {
  const execution = { inputs: 12, messages: 30 };
  expect(huntingLine({ ...progress, execution })).toBe(
    'hunting   1,200 executions (600/s), 12 inputs, 18,000 messages/s, 15 s left',
  );
});

test('where processes act by themselves it shows the round of the execution under way, also of the first', () => {
  const execution = { round: 34, rounds: 100, inputs: 1, messages: 1640, elapsedMs: 4000 };
  const first = { ...progress, executions: 0, events: 0, distinct: 0, execution };
  expect(huntingLine(first)).toBe('hunting   0 executions, round 34 of 100, 1 input, 410 messages/s');
  expect(huntingLine({ ...first, secondsMax: 60 })).toBe(
    'hunting   0 executions, round 34 of 100, 1 input, 410 messages/s, 58 s left',
  );
});
