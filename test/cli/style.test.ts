import { expect, test } from 'vitest';
import { culpritWith, folderWith } from './culprit.ts';

const escape = '\u001b[';

test.each([
  { env: {}, coloured: false, where: 'nothing is said' },
  { env: { CI: 'true' }, coloured: false, where: 'a CI server runs it' },
  { env: { FORCE_COLOR: '1' }, coloured: true, where: 'colours are demanded' },
  { env: { FORCE_COLOR: '0' }, coloured: false, where: 'colours are switched off' },
  { env: { FORCE_COLOR: '1', NO_COLOR: '1' }, coloured: false, where: 'colours are refused' },
])('output into a pipe is coloured: $coloured, where $where', ({ env, coloured }) => {
  const folder = folderWith();
  const { out } = culpritWith(env, folder, 'hunt', 'lock.system.ts');
  const { err } = culpritWith(env, folder, 'replay', 'missing.trace');
  expect({ out: out.includes(escape), err: err.includes(escape) }).toEqual({ out: coloured, err: coloured });
  expect(err).toContain('missing.trace');
});
