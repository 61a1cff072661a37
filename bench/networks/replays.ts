import { loadavg } from 'node:os';
import { recheck } from 'culprit';
import type { Measured } from '../row.ts';
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
