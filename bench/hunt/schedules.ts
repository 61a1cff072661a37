import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { search } from 'culprit';
import { lostUpdate } from '../lost-update.ts';
import type { Measured } from '../row.ts';
import { best, inTurns } from '../timing.ts';

const ROUNDS = 7;

/** Schedules of the lost-update problem, beside fast-check's scheduler, in turns: the best of each. */
export async function schedules(): Promise<Measured[]> {
  return [...(await beside(2, 20_000, 2_000)), ...(await beside(10, 5_000, 500))];
}

async function beside(clients: number, ours: number, theirs: number): Promise<Measured[]> {
  const times = await inTurns(ROUNDS, {
    culprit: () => byCulprit(clients, ours),
    fastCheck: () => byFastCheck(clients, theirs),
  });
  const culprit = (ours * 1000) / best(times.culprit);
  const fastCheck = (theirs * 1000) / best(times.fastCheck);
  const row = { case: `lost update, ${clients} clients` };
  const unit = 'schedules/s of CPU time';
  return [
    { ...row, metric: 'culprit', value: culprit, unit },
    { ...row, metric: 'fast-check', value: fastCheck, unit },
    {
      ...row,
      metric: 'culprit against fast-check',
      value: culprit / fastCheck,
      unit: 'x',
      ...(clients === 2 ? { target: '>= 20' } : {}),
    },
  ];
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
