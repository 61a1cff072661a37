import { lost, manyKeys, oneKey } from './history/check.ts';
import type { Bench } from './row.ts';

/** The cost of checking that a history is linearizable. */
export const history: Bench = { 'many-keys': manyKeys, 'one-key': oneKey, lost };
