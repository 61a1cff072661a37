import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folderWith } from './cli/culprit.ts';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

/** A program that uses two entries of the built package, and a system whose handler throws. */
const program = `
import { behavior, defineSystem, search, send } from '${dist}index.js';
import { BadOption } from '${dist}kernel.js';

const thrower = behavior({
  start: () => ({}),
  receive() {
    throw new Error('odd');
  },
});
const system = defineSystem({ processes: { a: thrower }, workload: [send('a', 'go')] });
const refused = await search(system, { executions: 0 }).catch((error) => error);
const { findings } = await search(system);
console.log(JSON.stringify({ isShared: refused instanceof BadOption, at: findings[0].trace.verdict.at }));
`;

test('the entries of the built package share their classes, and places of exceptions end at the handler', () => {
  const folder = folderWith();
  writeFileSync(join(folder, 'program.js'), program);
  const { stdout, stderr } = spawnSync(process.execPath, ['program.js'], { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({ isShared: true, at: ['program.js:8:11'] });
});
