import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { folderWith, startedWith } from '../cli/culprit.ts';
import { processesWith } from './processes.ts';

const program = `${import.meta.dirname}/programs/misbehaving.mjs`;

const system = (name: string, mark: string): string => `import { defineSystem, send } from 'culprit';
import { command, stdio } from 'culprit/live';
export default defineSystem({
  processes: { node: command(${JSON.stringify([process.execPath, program, name, mark])}, { connect: stdio() }) },
  workload: [send('node', 1), send('node', 2)],
});
`;

const sessionsIn = (folder: string): string[] =>
  readdirSync(`${folder}/sessions`).filter((entry) => entry.startsWith('culprit-live-'));

/** Waits until so many processes have the mark. */
async function untilThereAre(count: number, mark: string): Promise<void> {
  while (processesWith(mark).length !== count) await delay(20);
}

test.each([
  ['SIGKILL', 'has a grandchild'],
  ['SIGKILL', 'hides a grandchild'],
  ['SIGINT', 'hides a grandchild'],
  ['SIGTERM', 'has a grandchild'],
] as const)(
  'culprit is ended by %s: nothing is left of a program that %s, and others are untouched',
  async (signal, name) => {
    const mark = `guarded-${signal}-${name.replaceAll(' ', '-')}-${process.pid}`;
    const decoy = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1 << 30)', `decoy-${mark}`], {
      stdio: 'ignore',
    });
    onTestFinished(() => void decoy.kill('SIGKILL'));
    const folder = folderWith({ 'a.system.ts': system(name, mark) });
    mkdirSync(`${folder}/sessions`);
    const env = { TMPDIR: `${folder}/sessions` };
    const command = startedWith(env, folder, 'hunt', 'a.system.ts', '--executions', '1000', '--jobs', '1');
    const ended = new Promise((resolve) => command.once('exit', resolve));
    // The decoy, the program and its grandchild; the command itself does not have the mark in its command line.
    await untilThereAre(3, mark);
    expect(sessionsIn(folder)).toHaveLength(1);
    command.kill(signal);
    await ended;
    await untilThereAre(1, mark);
    expect(processesWith(mark)).toEqual([decoy.pid]);
    while (sessionsIn(folder).length > 0) await delay(20);
  },
);
