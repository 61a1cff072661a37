import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commands } from '../test/twins/mutants/commands.ts';
import type { PartOptions } from './row.ts';
import { columns, exact } from './table.ts';

/** How many mutants each command is given where no seeds are. */
const MUTANTS = 2_000;

/** A command that takes more CPU time for one mutant hangs; so does one that waits for so much longer. */
const HANG_MS = 20_000;
const WAIT_MS = 10 * HANG_MS;

/** How often that is looked at. */
const LOOK_MS = 1_000;

/** How a command came through its mutants. */
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

/** What a child says after each mutant. */
export interface Said {
  readonly seed: number;
  readonly ending: 'accepted' | 'refused' | 'unexpected';
  /** Of what it should not have thrown. */
  readonly stack?: string;
  readonly peakMb: number;
}

/** Every command, with mutants of traces, in processes that are ended where one of them hangs. */
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
    // A child that hangs or dies is followed by another, which begins behind that mutant.
    for (let next = from; next <= to;) next = await until(row, next, to);
    row.seconds = (performance.now() - before) / 1000;
    if (row.unexpected + row.hangs > 0) process.exitCode = 1;
    yield row;
  }
}

/** Gives the seed after the last one that a child came through, hung at or died of. */
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
    // Where the system does not tell, all of that time may have been the command's.
    const cpuMs = (cpuMsOf(child) ?? waitedMs) - (sinceCpuMs ?? 0);
    if (cpuMs < HANG_MS && waitedMs < WAIT_MS) return;
    row.hangs += 1;
    console.error(`${row.command}: hangs at --seeds ${seed()}..${seed()}`);
    child.kill('SIGKILL');
  }, LOOK_MS);
}

/** How long the main thread of a process has been on a CPU: beside other work, the time that passes says nothing. */
function cpuMsOf({ pid }: ChildProcess): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    // Only Linux has it, and only while the process is there.
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
