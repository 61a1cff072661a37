import { expect, test } from 'vitest';
import type { Violated } from '../trace/verdict.ts';
import { isSameBug } from './same-bug.ts';

const about = (oracle: string, processes: readonly string[], fingerprint?: string): Violated => ({
  kind: 'violated',
  oracle,
  message: '',
  processes,
  fingerprint: fingerprint ?? [oracle, ...[...processes].sort()].join(' '),
});

test('violations of one invariant are the same bug where they share a process', () => {
  expect(isSameBug(about('safe', ['a', 'b']), about('safe', ['b', 'c']))).toBe(true);
  expect(isSameBug(about('safe', ['a', 'b']), about('safe', ['c']))).toBe(false);
  expect(isSameBug(about('safe', ['a']), about('sound', ['a']))).toBe(false);
  expect(isSameBug(about('safe', []), about('safe', []))).toBe(true);
});

test('a fingerprint of their own must be equal', () => {
  expect(isSameBug(about('safe', ['a'], 'safe early'), about('safe', ['b'], 'safe early'))).toBe(true);
  expect(isSameBug(about('safe', ['a'], 'safe early'), about('safe', ['a'], 'safe late'))).toBe(false);
  expect(isSameBug(about('safe', ['a'], 'safe early'), about('safe', ['a']))).toBe(false);
});
