import { expect, test } from 'vitest';
import type { Message } from './messages.ts';
import { rules } from './rules.ts';

const view = (name: string, state: object) => ({
  name,
  up: true,
  state,
  restarts: 0,
  disk: new Map<string, unknown>(),
});
const effect = (message: Message, name: string, state: object) => rules.message?.(message, view(name, state), 'nm-1');
const done: Message = { type: 'done', node: 'nm-1' };
const working = { phase: 'working', epoch: 0, asking: 0, running: ['nm-1', 'nm-2'], spare: [], bad: [] };

test('a finished task is counted, but not the last one, nor one whose container is awaited', () => {
  expect(effect(done, 'am', working)).toBe('counts');
  expect(effect(done, 'am', { ...working, running: ['nm-1'] })).toBe('modifies');
  expect(effect(done, 'am', { ...working, asking: 1 })).toBe('modifies');
  expect(effect(done, 'am', { ...working, running: ['nm-2'] })).toBe('discards');
  // An offer of the node may still come, and then it would be taken for the answer.
  expect(effect(done, 'am', { ...working, running: [], asking: 1 })).toBe('modifies');
});

test('only messages for this resource manager, while the application runs, concern it', () => {
  const running = { app: 'running', epoch: 1, wanted: 0, granted: [], avoided: [] };
  const register: Message = { type: 'register', epoch: 1, holds: [], ask: 1, avoid: [] };
  expect(effect(register, 'rm', running)).toBe('modifies');
  expect(effect({ ...register, epoch: 0 }, 'rm', running)).toBe('discards');
  expect(effect(register, 'rm', { ...running, app: 'removing' })).toBe('discards');
  expect(effect({ type: 'down' }, 'rm', running)).toBe('modifies');
  expect(effect({ type: 'down' }, 'rm', { ...running, app: 'finished' })).toBe('discards');
});

test('a crash concerns the application master if it has a container there, and the two managers one another', () => {
  const am = view('am', { ...working, running: ['nm-1'] });
  expect(rules.crash?.(am, view('nm-1', {}))).toBe('global');
  expect(rules.crash?.(am, view('nm-2', {}))).toBe('local');
  expect(rules.crash?.(am, view('rm', {}))).toBe('global');
  expect(rules.crash?.(view('nm-2', {}), view('am', {}))).toBe('local');
  expect(rules.recovery?.(am, view('nm-2', {}))).toBeUndefined();
  expect(rules.recovery?.(am, view('nm-1', {}))).toEqual({
    knows: { ...working, running: ['nm-1'] },
    gone: { epoch: 0 },
    stored: null,
  });
});
