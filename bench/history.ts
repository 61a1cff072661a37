import { lost, manyKeys, oneKey } from './history/check.ts';
import type { Bench } from './row.ts';

/** What it costs to check that a history is linearizable. */
export const history: Bench = { 'many-keys': manyKeys, 'one-key': oneKey, lost };
