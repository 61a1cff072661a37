import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from 'culprit/kernel';
import type { Measured } from '../row.ts';

const main = join(import.meta.dirname, '../../dist/cli/main.js');
const system = join(import.meta.dirname, 'leaving.system.ts');

const KILLED = 20;
/** Hunts that end by themselves, and the sessions of each. */
const [HUNTS, SESSIONS] = [8, 10];
/** A hunt is killed at a random moment after its first session has begun: every other one before the programs have started. */
const MOMENTS_MS = [60, 1_500] as const;
const DECOYS = 3;
/** The guard of a killed hunt gets this long. */
const GUARD_MS = 30_000;
const SEED = 18;

/**
 * Counts what 100 sessions leave, of which 20 are killed with SIGKILL at random moments. Their programs have grandchildren that leave
 * the group, with and without the mark in the environment. Exits with 1 if anything is left, or a decoy is gone.
 */
export async function leftovers(): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-leftovers-'));
  // The programs use it as a number of seconds.
  const tag = `1000.${process.pid}`;
  const decoys = Array.from({ length: DECOYS }, () => decoy(tag));
  try {
    const random = Random.seeded(0, SEED);
    let withSession = 0;
    for (let hunt = 0; hunt < KILLED; hunt++) {
      const own = mkdtempSync(join(folder, 'killed-'));
      const running = started(own, tag, 1_000_000);
      while (readdirSync(own).length === 0) await delay(1);
      await delay(random.below(MOMENTS_MS[hunt % MOMENTS_MS.length] as number));
      if (processesWith(tag) > DECOYS) withSession += 1;
      await killed(running);
    }
    for (let hunt = 0; hunt < HUNTS; hunt++) await ended(started(mkdtempSync(join(folder, 'ended-')), tag, SESSIONS));
    const left = (): number => processesWith(tag) - DECOYS + sessionsIn(folder);
    for (const untilMs = performance.now() + GUARD_MS; left() > 0 && performance.now() < untilMs;) await delay(50);
    const alive = decoys.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null).length;
    if (left() !== 0 || alive !== DECOYS) process.exitCode = 1;
    return [
      row('sessions', KILLED + HUNTS * SESSIONS, 'sessions'),
      row('killed with SIGKILL', KILLED, 'hunts'),
      row('killed while a program ran', withSession, 'hunts'),
      row('processes left', processesWith(tag) - alive, 'processes', '0'),
      row('folders left', sessionsIn(folder), 'folders', '0'),
      row('decoys untouched', alive, 'processes', String(DECOYS)),
    ];
  } finally {
    // Each is in a group of its own, with the process that it waits for.
    for (const { pid } of decoys) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

const row = (metric: string, value: number, unit: string, target?: string): Measured => ({
  case: 'live sessions',
  metric,
  value,
  unit,
  ...(target === undefined ? {} : { target }),
});

/** A process that looks like a grandchild of a session by its name and group, and has a mark that is not ours. */
const decoy = (tag: string): ChildProcess =>
  spawn('/bin/sh', ['-c', 'while :; do sleep 1000; done', tag], {
    stdio: 'ignore',
    detached: true,
    env: { PATH: process.env['PATH'], CULPRIT_RUN: 'decoy' },
  });

const started = (folder: string, tag: string, executions: number): ChildProcess =>
  spawn(
    process.execPath,
    [main, 'hunt', system, '--executions', String(executions), '--workers', '1', '--no-minimize'],
    { stdio: 'ignore', cwd: folder, env: { ...process.env, TMPDIR: folder, LEFTOVER_TAG: tag } },
  );

const ended = (child: ChildProcess): Promise<void> => new Promise((resolve) => child.once('exit', () => resolve()));

async function killed(child: ChildProcess): Promise<void> {
  const isOver = ended(child);
  child.kill('SIGKILL');
  await isOver;
}

/** The number of folders in those of the hunts. */
const sessionsIn = (folder: string): number =>
  readdirSync(folder).flatMap((hunt) => readdirSync(join(folder, hunt))).length;

/** The number of processes with this word in their command line. */
const processesWith = (word: string): number =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandLineOf(pid).split('\0').includes(word)).length;

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}
