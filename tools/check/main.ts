import { spawnSync } from 'node:child_process';

/** Cheapest first: a formatting error should not wait for the tests. */
const stages = [
  ['format', 'oxfmt --check'],
  ['lint', 'oxlint'],
  ['types', 'tsc -p tsconfig.check.json'],
  ['types of the page', 'tsc -p viewer'],
  ['unused code', 'knip'],
  ['build', 'npm run --silent build'],
  ['package', 'npm run --silent lint:package'],
  ['tests', 'vitest run'],
] as const;

// npm puts the project's own binaries on the PATH, so this runs as `npm run check`.
for (const [name, command] of stages) {
  console.log(`check: ${name} (${command})`);
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  if (status !== 0) {
    console.log(`check: ${name} failed; the rest was not run`);
    process.exit(status ?? 1);
  }
}
console.log('check: all good');
