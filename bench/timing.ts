import { awaitTurn, passTurn } from './turns.ts';

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** Long executions are asynchronous: the kernel yields to the event loop at intervals. */
type Work = () => unknown;

/** CPU time: wall time would include other work of the machine. */
async function millisecondsOf(work: Work): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Of work that is not asynchronous. */
export function cpuSeconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/**
 * Collects the garbage of the previous contender, so that it is not charged to the next. Not a full collection: that
 * also discards compiled code, and the measurement would be mostly of the compiler.
 */
function sweepYoung(): void {
  exposedGc()({ type: 'minor' });
}

export function exposedGc(): NodeJS.GCFunction {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc, as `npm run bench` does');
  return globalThis.gc;
}

/**
 * Milliseconds of CPU time of each contender in each round. Contenders take turns, so that noise of the machine affects
 * all of them; the first round warms up and does not count.
 */
export async function inTurns<N extends string>(
  rounds: number,
  contenders: Readonly<Record<N, Work>>,
): Promise<Record<N, number[]>> {
  const names = Object.keys(contenders) as N[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<N, number[]>;
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      awaitTurn();
      sweepYoung();
      const ms = await millisecondsOf(contenders[name]);
      passTurn();
      if (round > 0) times[name].push(ms);
    }
  }
  return times;
}

/** The median, over the rounds, of the ratio of the first to the second. */
export const ratio = (first: readonly number[], second: readonly number[]): number =>
  median(first.map((ms, round) => ms / (second[round] as number)));

/** The fastest round: noise only ever adds. */
export const best = (values: readonly number[]): number => Math.min(...values);
