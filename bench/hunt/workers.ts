import { isDeepStrictEqual } from 'node:util';
import { search } from 'culprit';
import type { SearchReport } from 'culprit/kernel';
import type { Measured } from '../row.ts';
import { median, ratio } from '../timing.ts';
import raft from './raft.system.ts';

const ROUNDS = 3;
const EXECUTIONS = 30_000;
const EVENTS = 300;

/**
 * The same hunt by one worker and by two, in turns. Starting a worker and warming up its code count: about a second of
 * CPU time, so the hunt is a long one.
 */
export async function workers(): Promise<Measured[]> {
  const one: number[] = [];
  const two: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const [byOne, oneMs] = await timed(1);
    const [byTwo, twoMs] = await timed(2);
    if (!isDeepStrictEqual(byOne, byTwo)) throw new Error('two workers did not report the same as one');
    // The first round warms up.
    if (round > 0) {
      one.push(oneMs);
      two.push(twoMs);
    }
  }
  const name = `raft-like, ${EVENTS} events an execution`;
  const rate = (metric: string, ms: readonly number[]): Measured => ({
    case: name,
    metric,
    value: (EXECUTIONS * 1000) / median(ms),
    unit: 'executions/s',
  });
  return [
    rate('one worker', one),
    rate('two workers', two),
    { case: name, metric: 'two against one', value: ratio(one, two), unit: 'x', target: '>= 1.8' },
  ];
}

async function timed(count: number): Promise<[SearchReport, number]> {
  const before = performance.now();
  const report = await search(raft, { executions: EXECUTIONS, eventsMax: EVENTS, workers: count });
  return [report, performance.now() - before];
}
