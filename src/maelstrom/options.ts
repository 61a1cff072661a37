import type { AnyBehavior } from '../kernel/behavior.ts';
import {
  amount,
  callback,
  count,
  either,
  field,
  flag,
  list,
  object,
  oneOf,
  type FieldsOf,
} from '../kernel/options/fields.ts';
import { optionsOf } from '../kernel/options/options.ts';
import type { ConsistencyModel } from './transactions/consistency.ts';
import { consistencyModels } from './transactions/consistency.ts';
import { topologyNames, type TopologyName } from './topology.ts';
import { serviceNames, type ServiceName } from './services/services.ts';
import { workloadNames, type WorkloadName } from './workloads/workloads.ts';

/** How many faults a workload has. Nodes and links are drawn from the seed; what is crashed or cut is restarted or healed later. */
export interface NodeFaults {
  /** Crashes of nodes, each with a restart. */
  readonly crashes?: number;
  /** Partitions of the nodes into two sides, each with a heal; some are cut in one direction only. */
  readonly partitions?: number;
  /** Messages between nodes, and to services, that get lost. */
  readonly losses?: number;
  /** Messages between nodes that arrive twice. */
  readonly duplicates?: number;
}

/** What `maelstrom` composes a system of. */
export interface MaelstromOptions {
  /** The workload of Maelstrom: it decides what clients request, and what is checked. */
  readonly workload: WorkloadName;
  /** Makes the node of this name: a behavior that takes bodies from `ctx.from` and sends bodies. */
  readonly node: (id: string) => AnyBehavior;
  /** The number of nodes, 3 by default: n1, n2, and so on. */
  readonly nodes?: number;
  /** The number of clients, 2 by default: c1, c2, and so on. */
  readonly clients?: number;
  /** The number of requests that clients send, 20 by default. */
  readonly operations?: number;
  /** The faults of one execution; none by default. */
  readonly faults?: NodeFaults;
  /** The services that nodes may use; all of them by default. */
  readonly services?: readonly ServiceName[];
  /** After so long without an answer a client gives up, and the result is unknown; 5,000 by default. `false`: it waits. */
  readonly timeoutMs?: number | false;
  /** How long a program may take to answer `init`, 10,000 by default. */
  readonly initMs?: number;
  /** The neighbors of each node in the message `topology` of `broadcast`: a grid by default. */
  readonly topology?: TopologyName;
  /** The number of keys, for workloads that have some; 2 by default. */
  readonly keys?: number;
  /** What transactions promise; `serializable` by default. */
  readonly consistency?: ConsistencyModel;
  /** How long nodes may take to agree in the end: fair rounds, and the time between two reads. */
  readonly settle?: Settle;
}

/** How long nodes may take to agree in the end. */
export interface Settle {
  /** Fair rounds, in each of which every message is delivered and every timer fires; by default 4, and 2 more for each node. */
  readonly rounds?: number;
  /** The time between two final reads, 300 by default. It matters where nodes run by themselves. */
  readonly everyMs?: number;
}

const timeout = either((given) => (given === false ? flag : amount));

const fields: FieldsOf<MaelstromOptions> = {
  workload: oneOf(workloadNames),
  node: callback,
  nodes: count(1),
  clients: count(1),
  operations: count(1),
  faults: object<NodeFaults>('an object with crashes, partitions, losses and duplicates', {
    crashes: count(0),
    partitions: count(0),
    losses: count(0),
    duplicates: count(0),
  }),
  services: list('a list of services', oneOf(serviceNames)),
  timeoutMs: timeout,
  initMs: amount,
  topology: oneOf(topologyNames),
  keys: count(1),
  consistency: oneOf(consistencyModels),
  settle: object<Settle>('an object with rounds and everyMs', {
    rounds: count(1),
    everyMs: field('a number above 0', (ms) => typeof ms === 'number' && ms > 0),
  }),
};

export const maelstromOptions = optionsOf<MaelstromOptions>('maelstrom', fields, ['workload', 'node']);
