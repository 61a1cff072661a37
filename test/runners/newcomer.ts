import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

const { FORCE_COLOR: _forced, ...inherited } = process.env;

/** Installed besides culprit: the runners, the compiler, and the dependencies of culprit. */
const others = ['vitest', 'jest', 'typescript', 'commander', 'esbuild', 'picocolors', 'valibot'];

const binaries = {
  culprit: 'culprit/dist/cli/main.js',
  jest: 'jest/bin/jest.js',
  tsc: 'typescript/bin/tsc',
  vitest: 'vitest/vitest.mjs',
};

/** A user who has just installed culprit: a folder for packages, and a shell. */
export class Newcomer {
  private readonly home = mkdtempSync(join(tmpdir(), 'culprit-'));

  constructor() {
    const modules = join(this.home, 'node_modules');
    for (const path of published()) cpSync(join(root, path), join(modules, 'culprit', path));
    for (const name of others) symlinkSync(join(root, 'node_modules', name), join(modules, name));
    mkdirSync(join(modules, '.bin'));
    for (const [name, path] of Object.entries(binaries)) symlinkSync(join('..', path), join(modules, '.bin', name));
  }

  /** A package with only the package.json of an example. */
  package(name: string, example: string): string {
    const folder = join(this.home, name);
    mkdirSync(folder);
    symlinkSync(join('..', 'node_modules'), join(folder, 'node_modules'));
    cpSync(join(root, 'examples', example, 'package.json'), join(folder, 'package.json'));
    return folder;
  }

  leave(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** The files that `npm publish` would publish. */
function published(): string[] {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    env: inherited,
  });
  const [{ files }] = JSON.parse(stdout) as [{ files: readonly { path: string }[] }];
  return files.map(({ path }) => path);
}

export interface Typed {
  readonly code: number | null;
  /** The whole output, as a terminal would show it. */
  readonly text: string;
}

/** Types a line at the prompt. */
export function type(folder: string, line: string): Typed {
  const { status, stdout } = spawnSync(`${line} 2>&1`, {
    cwd: folder,
    encoding: 'utf8',
    shell: true,
    timeout: 500_000,
    // Warnings of npm about its own settings are irrelevant here.
    env: { ...inherited, NO_COLOR: '1', npm_config_loglevel: 'error', npm_config_update_notifier: 'false' },
  });
  return { code: status, text: stdout };
}

/**
 * The same without `npx`, whose start takes longer than most commands: runs the binary that it would find. Options of Node are
 * set as `npx` sets them.
 */
export const run = (folder: string, line: string): Typed =>
  type(folder, line.replace(/^npx (?:--node-options=(\S+) )?/, 'NODE_OPTIONS=$1 PATH="$PWD/node_modules/.bin:$PATH" '));

/** Removes the line that the example suggests to remove. */
export function removeMarkedLine(path: string): void {
  const lines = readFileSync(path, 'utf8').split('\n');
  const kept = lines.filter((line) => !line.includes('Try it'));
  if (kept.length !== lines.length - 1) throw new Error(`${dirname(path)}: not one line is marked`);
  writeFileSync(path, kept.join('\n'));
}
