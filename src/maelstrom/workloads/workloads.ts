import type { ConsistencyModel } from '../transactions/consistency.ts';
import { gCounter, pnCounter } from './counters.ts';
import { echo } from './echo.ts';
import { kafka } from './kafka.ts';
import { linKv } from './lin-kv.ts';
import { broadcast, gSet } from './sets.ts';
import { txnListAppend, txnRwRegister } from './transactions.ts';
import { uniqueIds } from './unique-ids.ts';
import type { Workload } from './workload.ts';

/** What workloads with keys and transactions depend on. */
interface WorkloadSettings {
  readonly keys: number;
  readonly consistency: ConsistencyModel;
}

const workloads = {
  echo: () => echo,
  'unique-ids': () => uniqueIds,
  broadcast: () => broadcast,
  'g-set': () => gSet,
  'g-counter': () => gCounter,
  'pn-counter': () => pnCounter,
  'lin-kv': ({ keys }) => linKv(keys),
  'txn-list-append': ({ keys, consistency }) => txnListAppend(keys, consistency),
  'txn-rw-register': ({ keys, consistency }) => txnRwRegister(keys, consistency),
  kafka: ({ keys }) => kafka(keys),
} satisfies Readonly<Record<string, (settings: WorkloadSettings) => Workload>>;

/** The name of a workload of Maelstrom: `broadcast`, for example. */
export type WorkloadName = keyof typeof workloads;

export const workloadNames = Object.keys(workloads) as WorkloadName[];

export const workloadCalled = (name: WorkloadName, settings: WorkloadSettings): Workload => workloads[name](settings);
