import { expect, test } from 'vitest';
import type { SearchProgress } from '../../hunt/report.ts';
import { plainLine, terminalLine } from './progress.ts';
import { checking, hunting, minimizing } from './progress-words.ts';

const progress: SearchProgress = {
  executions: 1200,
  executionsMax: 10_000,
  secondsMax: Number.POSITIVE_INFINITY,
  events: 48_000,
  distinct: 1100,
  found: 0,
  marks: 0,
  marksReached: 0,
  elapsedMs: 2000,
};

test('a hunt shows its share, its findings and its time first', () => {
  expect(plainLine(hunting(progress))).toBe(
    'hunting   12 %, 0 found, 2 s, about 15 s left, 1,200 executions (600/s), 1,100 distinct, 24,000 events/s',
  );
  expect(plainLine(hunting({ ...progress, found: 1, marks: 3, marksReached: 2 }))).toContain(
    '1 found, 2 s, about 15 s left, 1,200 executions (600/s), 2 of 3 marks, 1,100 distinct',
  );
  expect(plainLine(hunting({ ...progress, secondsMax: 4 }))).toContain('50 %, 0 found, 2 s, about 2 s left');
});

test('of a network it shows inputs and messages of the last execution', () => {
  const execution = { inputs: 12, messages: 30 };
  expect(plainLine(hunting({ ...progress, execution }))).toBe(
    'hunting   12 %, 0 found, 2 s, about 15 s left, 12 inputs, 1,200 executions (600/s), 18,000 messages/s',
  );
});

test('where processes act by themselves it shows the round of the execution under way, also of the first', () => {
  const execution = { round: 34, rounds: 100, inputs: 1, messages: 1640, elapsedMs: 4000 };
  const first = { ...progress, executions: 0, events: 0, distinct: 0, execution };
  expect(plainLine(hunting(first))).toBe(
    'hunting   0 %, 0 found, 2 s, round 34 of 100, 0 executions, 1 input, 410 messages/s',
  );
  expect(plainLine(hunting({ ...first, secondsMax: 60 }))).toContain('3 %, 0 found, 2 s, about 58 s left, round 34');
});

test('a check estimates its share, and a minimization shows what is left', () => {
  const limits = { executionsMax: 1e6, secondsMax: Number.POSITIVE_INFINITY };
  const check = {
    ...limits,
    executions: 500,
    events: 9,
    plansDone: 1,
    plans: 3,
    share: 0.25,
    found: 0,
    elapsedMs: 1000,
  };
  expect(plainLine(checking(check))).toBe(
    'checking  25 %, 0 found, 1 s, about 3 s left, 500 executions (500/s), 1 of 3 plans',
  );
  const stage = { pass: 'single', events: 30, externals: 4, schedules: 600, seconds: 3 };
  const limit = { initialEvents: 120, schedulesMax: Number.POSITIVE_INFINITY, secondsMax: 10 };
  expect(terminalLine(minimizing({ ...stage, ...limit }), 77)).toBe(
    'minimize  ████░░░░░░░░░░░░  30 of 120 events left, 3 of at most 10 s, single',
  );
});

test.each([
  [37, 'hunting   12 %, 0 found, 2 s'],
  [60, 'hunting   ██░░░░░░░░░░░░░░  12 %, 0 found, 2 s'],
  [77, 'hunting   ██░░░░░░░░░░░░░░  12 %, 0 found, 2 s, about 15 s left'],
  [117, 'hunting   ██░░░░░░░░░░░░░░  12 %, 0 found, 2 s, about 15 s left, 1,200 executions (600/s), 1,100 distinct'],
])('in %d columns, parts are left out, and none is cut', (columns, line) => {
  expect(terminalLine(hunting(progress), columns)).toBe(line);
});
