import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commands } from '../test/twins/mutants/commands.ts';
import type { PartOptions } from './row.ts';
import { columns, exact } from './table.ts';

/** Number of mutants per command, if no seeds are given. */
const MUTANTS = 2_000;

/** A command hangs if it takes more CPU time than this for one mutant, or waits for this much longer. */
const HANG_MS = 20_000;
const WAIT_MS = 10 * HANG_MS;

/** Interval of that check. */
const LOOK_MS = 1_000;

/** The results of a command on its mutants. */
export interface CommandRow {
  readonly bench: 'trust';
  readonly command: string;
  mutants: number;
  refused: number;
  accepted: number;
  unexpected: number;
  hangs: number;
  peakMb: number;
  seconds: number;
}

/** A child's message after each mutant. */
export interface Said {
  readonly seed: number;
  readonly ending: 'accepted' | 'refused' | 'unexpected';
  /** An error that it should not have thrown. */
  readonly stack?: string;
  readonly peakMb: number;
}

/** Gives every command mutants of traces, in child processes that are killed if a command hangs. */
export async function* mutantRows({ seeds }: PartOptions): AsyncGenerator<CommandRow> {
  const [from, to] = seeds ?? [1, MUTANTS];
  for (const command of Object.keys(commands)) {
    const row = {
      bench: 'trust',
      command,
      mutants: 0,
      refused: 0,
      accepted: 0,
      unexpected: 0,
      hangs: 0,
      peakMb: 0,
      seconds: 0,
    } satisfies CommandRow;
    const before = performance.now();
    // A child that hangs or dies is replaced by another, which continues after that mutant.
    for (let next = from; next <= to;) next = await until(row, next, to);
    row.seconds = (performance.now() - before) / 1000;
    if (row.unexpected + row.hangs > 0) process.exitCode = 1;
    yield row;
  }
}

/** Returns the seed after the last one that a child finished, hung at or died of. */
function until(row: CommandRow, from: number, to: number): Promise<number> {
  const file = fileURLToPath(new URL('mutants-child.ts', import.meta.url));
  const child = fork(file, [row.command, String(from), String(to)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  return new Promise((resolve) => {
    let next = from;
    let watch = watching(child, row, () => next);
    child.on('message', (said: Said) => {
      clearInterval(watch);
      add(said, row);
      next = said.seed + 1;
      if (next <= to) watch = watching(child, row, () => next);
    });
    child.on('close', (code, signal) => {
      clearInterval(watch);
      if (next > to) return resolve(next);
      row.mutants += 1;
      if (signal !== 'SIGKILL') {
        row.unexpected += 1;
        console.error(`${row.command}: the process ended with ${code ?? signal} at --seeds ${next}..${next}`);
      }
      resolve(next + 1);
    });
  });
}

function watching(child: ChildProcess, row: CommandRow, seed: () => number): NodeJS.Timeout {
  const [sinceMs, sinceCpuMs] = [performance.now(), cpuMsOf(child)];
  return setInterval(() => {
    const waitedMs = performance.now() - sinceMs;
    // If the system does not report CPU time, all of the elapsed time counts.
    const cpuMs = (cpuMsOf(child) ?? waitedMs) - (sinceCpuMs ?? 0);
    if (cpuMs < HANG_MS && waitedMs < WAIT_MS) return;
    row.hangs += 1;
    console.error(`${row.command}: hangs at --seeds ${seed()}..${seed()}`);
    child.kill('SIGKILL');
  }, LOOK_MS);
}

/** CPU time of the main thread of a process: on a busy machine, elapsed time says nothing. */
function cpuMsOf({ pid }: ChildProcess): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    // Only Linux has this file, and only while the process exists.
    return undefined;
  }
}

function add({ seed, ending, stack, peakMb }: Said, row: CommandRow): void {
  row.mutants += 1;
  row[ending] += 1;
  row.peakMb = Math.max(row.peakMb, peakMb);
  if (stack !== undefined) console.error(`${row.command}, --seeds ${seed}..${seed}: ${stack}\n`);
}

export function shownMutants(all: readonly CommandRow[]): string {
  const counts = ['mutants', 'refused', 'accepted', 'unexpected', 'hangs'] as const;
  const cells = all.map((row) => [
    row.command,
    ...counts.map((what) => exact(row[what])),
    exact(Math.round(row.peakMb)),
    row.seconds.toFixed(1),
  ]);
  const head = ['command', ...counts, 'peak MB', 'seconds'];
  return columns([head, ...cells], (column) => column > 0);
}
