import { expect, test } from 'vitest';
import type { Message } from './messages.ts';
import { rulesFor } from './rules.ts';

const rules = rulesFor(['nm-1', 'nm-2']);
const view = (name: string, state: object) => ({
  name,
  up: true,
  state,
  restarts: 0,
  disk: new Map<string, unknown>(),
});
const atMaster = (message: Message, state: string, attempts: object) =>
  rules.message?.(message, view('am', { epoch: 1, tasks: [{ state, attempts }] }), 'nm-1');
const done: Message = { type: 'done', task: 0, epoch: 1 };
const late: Message = { type: 'progress', task: 0, epoch: 1, late: true };

test('the attempt that decides a task is more than one that is too late, and one of an earlier master is nothing', () => {
  expect(atMaster(done, 'running', { 'nm-1': 'running' })).toBe('modifies');
  expect(atMaster(done, 'succeeded', { 'nm-1': 'killing', 'nm-2': 'succeeded' })).toEqual({ sets: 'killed' });
  expect(atMaster({ ...done, epoch: 0 }, 'running', { 'nm-1': 'running' })).toBe('discards');
});

test('progress matters where it is late and there is somewhere else to try', () => {
  expect(atMaster(late, 'running', { 'nm-1': 'running' })).toBe('modifies');
  expect(atMaster({ ...late, late: false }, 'running', { 'nm-1': 'running' })).toBe('discards');
  expect(atMaster(late, 'running', { 'nm-1': 'running', 'nm-2': 'assigned' })).toBe('discards');
  expect(atMaster(late, 'succeeded', { 'nm-1': 'succeeded' })).toBe('discards');
});

test('a crash concerns the application master where an attempt is under way', () => {
  const am = view('am', { epoch: 0, tasks: [{ state: 'running', attempts: { 'nm-1': 'running', 'nm-2': 'failed' } }] });
  expect(rules.crash?.(am, view('nm-1', {}))).toBe('global');
  expect(rules.crash?.(am, view('nm-2', {}))).toBe('local');
  expect(rules.crash?.(view('nm-1', {}), view('nm-2', {}))).toBe('local');
});
