import { printable } from '../text/printable.ts';
import type { Trace } from '../trace/format.ts';

/** A test that fails as long as a trace leads to its violation, for Node's own test runner. `path`: of the trace, from the folder of the test. */
export function testFileOf({ verdict, header }: Trace, path: string): string {
  const title =
    verdict.verdict === 'violated' ? `${verdict.oracle}: ${verdict.message}` : `${header.system} behaves as recorded`;
  return `// Replays ${JSON.stringify(path)}, and fails if the violation happens: node --test
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const trace = fileURLToPath(new URL(${JSON.stringify(path)}, import.meta.url));

test(${JSON.stringify(printable(title))}, () => {
  const { status, stdout, stderr } = spawnSync('npx', ['culprit', 'replay', trace], { encoding: 'utf8' });
  // 1: the violation happens. 2: the trace cannot be executed. 3: it no longer runs as recorded, and nothing is violated.
  assert.ok(status === 0 || status === 3, stdout + stderr);
});
`;
}
