import { loadavg } from 'node:os';
import { recheck } from 'culprit';
import type { Measured } from '../row.ts';
import { exposedGc } from '../timing.ts';
import { learningControllers } from './learning-controllers.ts';
import { failing, migration } from './migration.ts';

const REPLAYS = 5;

/** How long a replay takes with each controller: its start, what was recorded, and the waits that find out that nothing follows. */
export async function* replays(): AsyncGenerator<Measured> {
  for (const [name, command] of Object.entries(learningControllers)) {
    const system = migration(command);
    const trace = await failing(system);
    const beganMs = performance.now();
    const answer = await recheck(system, trace, { replays: REPLAYS });
    const reproduced = 'reproduced' in answer ? answer.reproduced : 0;
    const seconds = (performance.now() - beganMs) / 1000;
    yield { case: name, metric: 'a replay', value: seconds / REPLAYS, unit: 's' };
    yield { case: name, metric: 'reproduced', value: reproduced, unit: `of ${REPLAYS}` };
    yield { case: name, metric: 'load', value: loadavg()[0] as number, unit: '' };
  }
}

/** Replays in all, and between two looks at the memory. */
const [LONG, STEP] = [200, 20];

/** Whether memory is given back: resident after some replays, and after many. */
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
  const [first = 0] = resident;
  const most = Math.max(...resident.map((megabytes) => Math.abs(megabytes / first - 1)));
  yield { case: name, metric: `resident after ${STEP} replays`, value: first, unit: 'MB' };
  yield { case: name, metric: `resident after ${LONG} replays`, value: resident.at(-1) ?? 0, unit: 'MB' };
  yield { case: name, metric: 'largest change between them', value: most * 100, unit: '%', target: '<= 10' };
}
