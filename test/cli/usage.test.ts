import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.ts';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

test('culprit can be executed without naming Node, also after another build', () => {
  const { status, stdout } = spawnSync(main, ['--version'], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as unknown });
});

test('culprit shows its usage', () => {
  const folder = folderWith();
  for (const args of [
    ['--help'],
    ['init', '--help'],
    ['hunt', '--help'],
    ['check', '--help'],
    ['replay', '--help'],
    ['minimize', '--help'],
    ['explain', '--help'],
    ['diff', '--help'],
    ['step', '--help'],
    ['worker', '--help'],
  ]) {
    const { code, out } = culprit(folder, ...args);
    expect(code).toBe(0);
    expect(out).toMatch(/Examples?:\n {2}culprit /);
  }
  expect(culprit(folder, '--version').out).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(culprit(folder, 'chase').code).toBe(2);
  expect(culprit(folder, 'hunt').code).toBe(2);
});

test('exits with 2 if an invariant returns nothing, and names it', () => {
  const folder = folderWith({
    'forgetful.system.js': `
      const behavior = { start: () => ({}), receive() {} };
      const forgetful = (world) => { world.up().length < 2 || 'two are up'; };
      const definition = { processes: { a: behavior }, invariants: { forgetful } };
      export default { culprit: 'system', parameters: {}, define: () => definition, nth: 1 };
    `,
  });
  const { code, err } = culprit(folder, 'hunt', 'forgetful.system.js');
  expect({ code, err }).toEqual({
    code: 2,
    err: `error     seed 0: the invariant forgetful, asked after event 0, returned undefined.
next      Return true if it holds; otherwise false, a sentence or a witness { message, … }.\n`,
  });
});
