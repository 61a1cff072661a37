import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const lock = fileURLToPath(new URL('../../cases/lock/lock.system.ts', import.meta.url));

// A test runner on a terminal asks its children for colours.
const { FORCE_COLOR: _forced, NO_COLOR: _refused, ...colourless } = process.env;

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The built command, in a process of its own, in a folder of its own. */
export function culprit(folder: string, ...args: readonly string[]): Ran {
  return culpritWith({}, folder, ...args);
}

/** The same, with these variables and none that ask for colours. */
export function culpritWith(env: NodeJS.ProcessEnv, folder: string, ...args: readonly string[]): Ran {
  return ran(folder, args, { env: { ...colourless, ...env } });
}

/** The same, with this to read. */
export function culpritReading(input: string, folder: string, ...args: readonly string[]): Ran {
  return ran(folder, args, { env: colourless, input });
}

function ran(folder: string, args: readonly string[], how: { env: NodeJS.ProcessEnv; input?: string }): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd: folder,
    encoding: 'utf8',
    ...how,
  });
  return { code: status, out: stdout, err: stderr };
}

/** The command as a terminal is given it. */
export const commandLine = (...args: readonly string[]): string =>
  [process.execPath, main, ...args].map((part) => `'${part}'`).join(' ');

/** The same, under way: whoever starts it ends it. */
export function started(folder: string, ...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, env: colourless, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The same, but sent an interrupt as soon as it says that it has begun. */
export function interrupted(folder: string, ...args: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, env: colourless });
  const said = { out: '', err: '' };
  child.stderr.on('data', (text: Buffer) => (said.err += text.toString()));
  child.stdout.on('data', (text: Buffer) => {
    if (said.out === '') setTimeout(() => child.kill('SIGINT'), 1_000);
    said.out += text.toString();
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...said })));
}

/** A fresh folder with the lock in it and the files given; gone after the test. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = makeFolder();
  onTestFinished(() => removeFolder(folder));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A folder with the lock in it, in a package of its own: nothing above it matters. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-'));
  cpSync(lock, join(folder, 'lock.system.ts'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });
