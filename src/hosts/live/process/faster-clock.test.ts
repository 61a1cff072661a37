import { expect, test } from 'vitest';
import { fasterClock } from './faster-clock.ts';

const program = { name: 'node', file: process.execPath, cwd: '/', env: { PATH: '/usr/bin', LD_PRELOAD: 'mine.so' } };

test('without libfaketime, the error names its package', () => {
  expect(() => fasterClock(program, 5, 0, ['/nowhere/libfaketime.so.1'])).toThrow(
    'node has a `speed`, but libfaketime is not installed.',
  );
});

test('the clock begins where that of the session is, and libraries of the user follow', () => {
  const library = import.meta.filename;
  expect(fasterClock(program, 5, 2_000, [library])).toEqual({
    PATH: '/usr/bin',
    LD_PRELOAD: `${library} libc.so.6 mine.so`,
    FAKETIME: '+8.000 x5',
    FAKETIME_DONT_RESET: '1',
  });
});
