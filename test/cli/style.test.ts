import { expect, test } from 'vitest';
import { culpritWith, folderWith } from './culprit.ts';

const escape = '\u001b[';

test.each([
  { env: {}, colored: false, where: 'nothing is said' },
  { env: { CI: 'true' }, colored: false, where: 'a CI server runs it' },
  { env: { FORCE_COLOR: '1' }, colored: true, where: 'colors are demanded' },
  { env: { FORCE_COLOR: '0' }, colored: false, where: 'colors are switched off' },
  { env: { FORCE_COLOR: '1', NO_COLOR: '1' }, colored: false, where: 'colors are refused' },
])('output into a pipe is colored: $colored, if $where', ({ env, colored }) => {
  const folder = folderWith();
  const { out } = culpritWith(env, folder, 'hunt', 'lock.system.ts');
  const { err } = culpritWith(env, folder, 'replay', 'missing.trace');
  expect({ out: out.includes(escape), err: err.includes(escape) }).toEqual({ out: colored, err: colored });
  expect(err).toContain('missing.trace');
});
