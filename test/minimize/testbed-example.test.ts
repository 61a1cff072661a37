import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const folder = fileURLToPath(new URL('examples/testbed/', root));

/** Prints both outputs, as a terminal does. */
const minimize = (command: string): string =>
  spawnSync(`node minimize.js inputs.txt ${command} 2>&1`, { cwd: folder, shell: true, encoding: 'utf8' }).stdout;

test('the inputs of a testbed behind a shell command are minimized as its page says', () => {
  const page = readFileSync(new URL('docs/guide/other-testbeds.md', root), 'utf8');
  expect(page).toContain(`$ node minimize.js inputs.txt ./replay.sh\n${minimize('./replay.sh')}`);
});

test('a testbed that cannot say anything is named', () => {
  expect(minimize("'exit 2'")).toContain('the testbed says unknown of all inputs, so that nothing can be minimized.');
});
