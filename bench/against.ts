import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Row } from './row.ts';
import { columns } from './table.ts';
import { median } from './timing.ts';
import { TURNS } from './turns.ts';

/** Number of process pairs by default: each process compiles the code differently, which changes results by a few percent. */
export const PAIRS = 7;

/**
 * Compares a part of a bench in two checkouts, as ratios. Each checkout runs its own bench on its own build, so names
 * and files may differ; rows with equal case, metric and unit are compared.
 */
export async function against(other: string, name: string, part: string, pairs: number): Promise<string> {
  const ratios = new Map<string, number[]>();
  for (let pair = 0; pair < pairs; pair++) {
    const [here, there] = await both(process.cwd(), other, [name, '--only', part, '--json']);
    for (const [key, value] of here) {
      const otherValue = there.get(key);
      if (otherValue !== undefined) ratios.set(key, [...(ratios.get(key) ?? []), value / otherValue]);
    }
  }
  return shown(ratios);
}

type Values = ReadonlyMap<string, number>;

async function both(one: string, other: string, command: readonly string[]): Promise<[Values, Values]> {
  const [first, second] = [start(one, command), start(other, command)];
  const turns = (child: ChildProcess, fd: number): Duplex => child.stdio[fd] as Duplex;
  turns(first, TURNS.to).pipe(turns(second, TURNS.from));
  turns(second, TURNS.to).pipe(turns(first, TURNS.from));
  turns(first, TURNS.from).write(new Uint8Array(1));
  for (const child of [first, second]) turns(child, TURNS.from).on('error', () => undefined);
  return Promise.all([values(first, one), values(second, other)]);
}

const start = (checkout: string, command: readonly string[]): ChildProcess =>
  spawn(process.execPath, [...process.execArgv, join('bench', 'main.ts'), ...command], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'],
    env: { ...process.env, [TURNS.variable]: '1' },
  });

async function values(child: ChildProcess, checkout: string): Promise<Values> {
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const printed = await text(child.stdout as NodeJS.ReadableStream);
  if ((await ended) !== 0) throw new Error(`the bench failed in ${checkout}: build it first, with npm run build.`);
  const rows = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  return new Map(rows.map((row) => [[row.case, row.metric, row.unit].join('\t'), row.value]));
}

/** The median is the answer; the extremes show how reliable it is. */
function shown(ratios: ReadonlyMap<string, readonly number[]>): string {
  const lines = [...ratios].map(([key, found]) => [
    ...key.split('\t'),
    ...[median(found), Math.min(...found), Math.max(...found)].map((ratio) => ratio.toFixed(3)),
  ]);
  return columns([['case', 'metric', 'unit', 'here / there', 'least', 'most'], ...lines], (column) => column > 2);
}
