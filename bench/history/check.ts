import { checkLinearizable, models } from 'culprit';
import type { Measured } from '../row.ts';
import { inTurns, median } from '../timing.ts';
import { broken, simulated } from './simulated.ts';

const ROUNDS = 9;

/** A store with many keys: each key's history is short. */
export const manyKeys = (): Promise<Measured[]> =>
  measured('10,000 operations, 100 keys, 10 clients', { operations: 10_000, clients: 10, keys: 100, lost: 0 });

/** One key: all orders of concurrent operations have to be tried. */
export const oneKey = (): Promise<Measured[]> =>
  measured('2,000 operations, 1 key, 5 clients', { operations: 2_000, clients: 5, keys: 1, lost: 0 });

/** Operations that never return stay possible forever. */
export const lost = (): Promise<Measured[]> =>
  measured('2,000 operations, 20 keys, 5 clients, 10 % of puts lost', {
    operations: 2_000,
    clients: 5,
    keys: 20,
    lost: 10,
  });

async function measured(
  name: string,
  size: { operations: number; clients: number; keys: number; lost: number },
): Promise<Measured[]> {
  const history = simulated({ ...size, values: 10 }, 1);
  const wrong = broken(history);
  const answers = {
    right: checkLinearizable(history, models.keyValue),
    wrong: checkLinearizable(wrong, models.keyValue),
  };
  if (answers.right.kind !== 'holds' || answers.wrong.kind !== 'violated') throw new Error(`bench: ${name} went wrong`);
  const times = await inTurns(ROUNDS, {
    right: () => void checkLinearizable(history, models.keyValue),
    wrong: () => void checkLinearizable(wrong, models.keyValue),
  });
  return [
    { case: name, metric: 'linearizable', value: median(times.right), unit: 'ms', target: '<= 1,000' },
    { case: name, metric: 'linearizable', value: answers.right.steps, unit: 'steps' },
    { case: name, metric: 'last read broken', value: median(times.wrong), unit: 'ms', target: '<= 1,000' },
    { case: name, metric: 'last read broken', value: answers.wrong.steps, unit: 'steps' },
  ];
}
