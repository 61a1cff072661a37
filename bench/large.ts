import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { largeCommands } from '../test/twins/large/commands.ts';
import { largeSystems } from '../test/twins/large/systems.ts';
import { columns, exact } from './table.ts';

/** How many events the traces have. In proportion to the file means that the last takes some three times what the second does. */
const SIZES = [8_000, 32_000, 100_000] as const;

/** What each command took for traces of one shape. */
export interface LargeRow {
  readonly bench: 'trust';
  readonly shape: string;
  readonly command: string;
  /** By size: CPU seconds, or why there are none. */
  readonly seconds: (number | string)[];
  peakMb: number;
}

/** What a child says of its command. */
export interface LargeAnswer {
  readonly seconds: number | string;
  readonly peakMb: number;
}

/** The command that executes the system and writes the trace: the first of all. */
export const MAKE = 'hunt';

/** A command that takes longer is ended. */
const ENDED_MS = 600_000;

/** Large traces that replay, given to everything that reads one. Each shape, size and command has a process of its own. */
export async function* largeRows(): AsyncGenerator<LargeRow> {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-large-'));
  try {
    for (const shape of Object.keys(largeSystems)) {
      const rows = [MAKE, ...Object.keys(largeCommands)].map((command): LargeRow => ({
        bench: 'trust',
        shape,
        command,
        seconds: [],
        peakMb: 0,
      }));
      for (const size of SIZES) for (const row of rows) await measure(row, size, join(folder, 'large.trace'));
      yield* rows;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(row: LargeRow, size: number, file: string): Promise<void> {
  const { seconds, peakMb } = await answerOf(row, size, file);
  row.seconds.push(seconds);
  row.peakMb = Math.max(row.peakMb, peakMb);
}

function answerOf({ shape, command }: LargeRow, size: number, file: string): Promise<LargeAnswer> {
  const child = fork(fileURLToPath(new URL('large-child.ts', import.meta.url)), [shape, command, String(size), file], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), ENDED_MS);
  return new Promise((resolve) => {
    let answer: LargeAnswer | undefined;
    child.on('message', (said: LargeAnswer) => (answer = said));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve(answer ?? { seconds: `ended by ${signal ?? code}`, peakMb: 0 });
    });
  });
}

export function shownLarge(all: readonly LargeRow[]): string {
  const shown = (seconds: number | string): string => (typeof seconds === 'number' ? seconds.toFixed(2) : seconds);
  const cells = all.map(({ shape, command, seconds, peakMb }) => [
    shape,
    command,
    ...seconds.map(shown),
    ratio(seconds.at(-2), seconds.at(-1)),
    exact(Math.round(peakMb)),
  ]);
  const head = ['shape', 'command', ...SIZES.map((size) => exact(size)), 'ratio', 'peak MB'];
  return `${columns([head, ...cells], (column) => column > 1)}\nCPU seconds by events, and the last by the one before.`;
}

const ratio = (before: number | string | undefined, after: number | string | undefined): string =>
  typeof before === 'number' && typeof after === 'number' ? (after / before).toFixed(1) : '';
