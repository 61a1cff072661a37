import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const lock = fileURLToPath(new URL('../../cases/lock/lock.system.ts', import.meta.url));

// A test runner on a terminal asks its children for colors, and a workflow of GitHub for annotations.
const { FORCE_COLOR: _forced, NO_COLOR: _refused, GITHUB_ACTIONS: _workflow, ...colorless } = process.env;

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The built command, in its own process, in a folder of its own. */
export function culprit(folder: string, ...args: readonly string[]): Ran {
  return culpritWith({}, folder, ...args);
}

/** The same, with these variables and without those that ask for colors. */
export function culpritWith(env: NodeJS.ProcessEnv, folder: string, ...args: readonly string[]): Ran {
  return ran(folder, args, { env: { ...colorless, ...env } });
}

/** The same, with this standard input. */
export function culpritReading(input: string, folder: string, ...args: readonly string[]): Ran {
  return ran(folder, args, { env: colorless, input });
}

function ran(folder: string, args: readonly string[], how: { env: NodeJS.ProcessEnv; input?: string }): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd: folder,
    encoding: 'utf8',
    ...how,
  });
  return { code: status, out: stdout, err: withoutProgress(stderr) };
}

/** On a busy machine a command may take long enough to report its progress. */
const withoutProgress = (text: string): string =>
  text.replaceAll(/^(?:hunting|checking|minimize|explain) {2,3}.*(?:executions|schedules|execution).*\n/gm, '');

/** The command as a terminal gets it. */
export const commandLine = (...args: readonly string[]): string =>
  [process.execPath, main, ...args].map((part) => `'${part}'`).join(' ');

/** The same command, still running: the caller ends it. */
export const started = (folder: string, ...args: readonly string[]): ChildProcess => startedWith({}, folder, ...args);

/** The same, with these variables. */
export function startedWith(env: NodeJS.ProcessEnv, folder: string, ...args: readonly string[]): ChildProcess {
  const how = { cwd: folder, env: { ...colorless, ...env }, stdio: 'ignore' } as const;
  const child = spawn(process.execPath, [main, ...args], how);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** When to send a signal: as soon as this is printed, to either stream. */
export interface Moment {
  readonly at: string;
  readonly signal?: 'SIGINT' | 'SIGTERM';
  /** Sends another signal if this is printed afterward. */
  readonly again?: string;
  /** Its standard input, which stays open. */
  readonly input?: string;
}

/** The same, with a signal at a moment that its output shows. */
export function interrupted(
  folder: string,
  { at, signal = 'SIGINT', again, input }: Moment,
  ...args: readonly string[]
): Promise<Ran & { readonly killed: NodeJS.Signals | null }> {
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, env: colorless });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (input !== undefined) child.stdin.write(input);
  const said = { out: '', err: '' };
  const wanted = [at, ...(again === undefined ? [] : [again])];
  const hear = (stream: keyof typeof said) => (text: Buffer) => {
    said[stream] += text.toString();
    while (wanted[0] !== undefined && said[stream].includes(wanted[0])) {
      wanted.shift();
      child.kill(signal);
    }
  };
  child.stdout.on('data', hear('out'));
  child.stderr.on('data', hear('err'));
  return new Promise((resolve) => child.on('close', (code, killed) => resolve({ code, killed, ...said })));
}

/** The line with which a system tells the test how far a command has come. */
export const MOMENT = 'MOMENT';

/**
 * A system that prints a line once this many messages have been received in all executions. Nothing is violated, unless
 * `limit` is set: the number of messages that `a` may receive.
 */
export const countingSystem = (number: number): string => `import { writeSync } from 'node:fs';
  import { behavior, defineSystem } from 'culprit';
  let received = 0;
  const a = behavior<{ seen: string[] }, string>({
    start: () => ({ seen: [] }),
    receive({ seen }, message) {
      if (++received === ${number}) writeSync(2, '${MOMENT}\\n');
      seen.push(message);
    },
  });
  const other = behavior<object, string>({
    start(ctx) { for (const n of [1, 2, 3]) ctx.send('a', ctx.self + n); return {}; },
    receive() {},
  });
  export default defineSystem({ nodes: 3, limit: 0 }, ({ nodes, limit }) => defineSystem({
    processes: { a, ...Object.fromEntries(Array.from({ length: nodes }, (_, at) => ['n' + at, other])) },
    invariants: { limited: (world) => limit === 0 || world.up(a).every(({ state }) => state.seen.length < limit) },
  }));`;

/** A fresh folder with the lock in it and the given files; removed after the test. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = makeFolder();
  onTestFinished(() => removeFolder(folder));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A folder with the lock in it, in its own package: nothing above it matters. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-'));
  cpSync(lock, join(folder, 'lock.system.ts'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** The trace that a hunt of this system saves, as text. */
export function huntedTrace(name: string, module: string): string {
  const folder = folderWith({ [name]: module });
  const { out } = culprit(folder, 'hunt', name, '--no-minimize', '--json');
  const path = /"path": ?"([^"]+\.trace)"/.exec(out)?.[1] ?? out;
  return readFileSync(join(folder, path), 'utf8');
}
