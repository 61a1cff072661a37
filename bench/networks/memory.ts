import { recheck } from 'culprit';
import type { Measured } from '../row.ts';
import { exposedGc } from '../timing.ts';
import { learningControllers } from './learning-controllers.ts';
import { failing, migration } from './migration.ts';

/** Replays in all, and between two looks at the memory. */
const [LONG, STEP] = [200, 20];

/** Whether memory is given back: resident memory between replays, without garbage. */
export async function* memory(): AsyncGenerator<Measured> {
  const name = 'ovs-testcontroller';
  const system = migration(learningControllers[name] ?? []);
  const trace = await failing(system);
  const resident: number[] = [];
  for (let done = 0; done < LONG; done += STEP) {
    await recheck(system, trace, { replays: STEP });
    exposedGc()();
    resident.push(process.memoryUsage().rss / 1e6);
  }
  for (const [at, megabytes] of resident.entries())
    yield { case: name, metric: `resident after ${(at + 1) * STEP} replays`, value: megabytes, unit: 'MB' };
  const half = resident.length / 2;
  const change = mean(resident.slice(half)) / mean(resident.slice(0, half)) - 1;
  yield { case: name, metric: 'second half against the first', value: change * 100, unit: '%', target: '-10 to 10' };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
