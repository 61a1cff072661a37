import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { search } from 'culprit';
import { lostUpdate } from '../lost-update.ts';
import type { Measured } from '../row.ts';
import { median, ratio } from '../timing.ts';

const ROUNDS = 7;

/** Schedules of the lost-update problem, beside fast-check's scheduler, in turns. */
export async function schedules(): Promise<Measured[]> {
  return [...(await beside(2, 20_000, 2_000)), ...(await beside(10, 5_000, 500))];
}

async function beside(clients: number, ours: number, theirs: number): Promise<Measured[]> {
  const times = { culprit: [] as number[], fastCheck: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const culprit = await perSchedule(ours, () => byCulprit(clients, ours));
    const fastCheck = await perSchedule(theirs, () => byFastCheck(clients, theirs));
    // The first round warms up.
    if (round > 0) {
      times.culprit.push(culprit);
      times.fastCheck.push(fastCheck);
    }
  }
  const name = `lost update, ${clients} clients`;
  const rate = (metric: string, ms: number[]): Measured => ({
    case: name,
    metric,
    value: 1000 / median(ms),
    unit: 'schedules/s',
  });
  return [
    rate('culprit', times.culprit),
    rate('fast-check', times.fastCheck),
    {
      case: name,
      metric: 'culprit against fast-check',
      value: ratio(times.fastCheck, times.culprit),
      unit: 'x',
      ...(clients === 2 ? { target: '>= 20' } : {}),
    },
  ];
}

async function perSchedule(count: number, work: () => Promise<void>): Promise<number> {
  const before = performance.now();
  await work();
  return (performance.now() - before) / count;
}

async function byCulprit(clients: number, executions: number): Promise<void> {
  const report = await search(lostUpdate(clients), { executions, strategy: 'random' });
  if (report.executions !== executions || report.findings.length > 0) throw new Error('nothing was to be found');
}

/** The same clients as async functions, each read and each write a task of the scheduler. */
async function byFastCheck(clients: number, executions: number): Promise<void> {
  const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
    let value = 0;
    const read = scheduler.scheduleFunction(async () => value);
    const write = scheduler.scheduleFunction(async (next: number) => {
      value = next;
    });
    const update = async (): Promise<void> => write((await read()) + 1);
    const all = Promise.all(Array.from({ length: clients }, update));
    await scheduler.waitIdle();
    await all;
  });
  const result = await fc.check(property, { numRuns: executions });
  if (!isDeepStrictEqual([result.failed, result.numRuns], [false, executions]))
    throw new Error('fast-check did not run');
}
