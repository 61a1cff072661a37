import { afterEach, expect, test, vi } from 'vitest';
import { Stalled } from '../../execution/record.ts';
import { reportError, Uncaught } from './report-error.ts';

afterEach(() => void vi.restoreAllMocks());

test.each([
  [3, 'an execution that the clock ended', new Stalled('a handler was ended after 5 s')],
  [2, 'an error of the system', new Uncaught(new Error('late'))],
])('exit code %i for %s', (code, _what, error) => {
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  expect(reportError(error)).toBe(code);
  expect(written.join('')).toContain(error.message.split('\n')[0]);
  expect(written.join('')).toContain(error.next);
});
