import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { culprit, culpritWith, folderWith } from '../cli/culprit.ts';

const system = `import { defineSystem } from 'culprit';
import { command, stdio } from 'culprit/live';
export default defineSystem({
  processes: {
    n1: command(['sh', '-c', 'echo data > file; cat'], { cwd: '$dir', connect: stdio() }),
    n2: command(['sh', '-c', 'while :; do sleep 0.005; done'], { connect: stdio() }),
  },
  pace: { roundMs: 10, quietMs: 20 },
});
`;

test('--keep keeps the folders of programs, also of worker threads, and says where they are', () => {
  const folder = folderWith({ 'a.system.ts': system });
  const args = ['--executions', '2', '--jobs', '2', '--no-control', '--keep', 'kept'];
  const { code, err } = culprit(folder, 'hunt', 'a.system.ts', ...args);
  expect(code).toBe(0);
  expect(err).toContain('kept      2 folders in kept');
  const sessions = readdirSync(`${folder}/kept`);
  expect(sessions.map((session) => existsSync(`${folder}/kept/${session}/n1/file`))).toEqual([true, true]);
});

test('--keep with a folder that cannot be made is refused', () => {
  const folder = folderWith({ 'a.system.ts': system, kept: '' });
  const { code, err } = culprit(folder, 'hunt', 'a.system.ts', '--keep', 'kept');
  expect([code, err]).toEqual([2, expect.stringContaining('kept cannot be written') as string]);
});

test('doctor says of each live process whether its quiescence is observed or guessed', () => {
  const folder = folderWith({ 'a.system.ts': system });
  const { out } = culprit(folder, 'doctor', 'a.system.ts', '--executions', '1');
  expect(out).toMatch(/quiescence: n1: observed \(0 of 20 looks at the idle program differed\), after \d+ reaction/);
  expect(out).toMatch(/quiescence: n2: it polls \(\d+ of 20 looks at the idle program differed\): 20 ms settle time/);
});

/** A process that has this mark; it is ended after the test. */
function marked(mark: string): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1 << 30)', 'CULPRIT_RUN=1:1-x'], {
    stdio: 'ignore',
    env: { ...process.env, CULPRIT_RUN: mark },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child.pid as number;
}

test('clean removes what has the mark of a culprit that is gone, and nothing else', () => {
  const folder = folderWith({});
  const sessions = `${folder}/sessions`;
  const [gone, foreign] = ['culprit-live-gone', 'culprit-live-foreign'].map((name) => `${sessions}/${name}`);
  for (const path of [gone, foreign]) mkdirSync(path as string, { recursive: true });
  // This process has another start time.
  writeFileSync(`${gone}/.culprit-session`, `${process.pid}:1-abc`);
  const pids = { gone: marked(`${process.pid}:1-abc.1.0`), foreign: marked('something else') };
  const clean = (...args: readonly string[]): string => culpritWith({ TMPDIR: sessions }, folder, 'clean', ...args).out;
  const listed = clean('--list');
  expect(listed).toContain(`folder ${gone} (its culprit is gone)`);
  expect(listed).toContain(`process ${pids.gone}: `);
  for (const decoy of [foreign, `process ${pids.foreign}:`]) expect(listed).not.toContain(decoy);
  expect(existsSync(gone as string)).toBe(true);
  const removed = clean();
  expect(removed).toContain(`removed   folder ${gone} (its culprit is gone)`);
  expect([existsSync(gone as string), existsSync(foreign as string)]).toEqual([false, true]);
  expect(clean('--list')).not.toContain(`process ${pids.gone}:`);
  expect(existsSync(`/proc/${pids.foreign}`)).toBe(true);
});
