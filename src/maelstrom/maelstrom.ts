import type { AnyBehavior } from '../kernel/behavior.ts';
import type { DeclaredLink, Faults, Transport } from '../kernel/declaration.ts';
import type { Oracle } from '../kernel/ports.ts';
import type { World } from '../kernel/world.ts';
import type { MinimizeHints } from '../system/definition.ts';
import { ENVIRONMENT } from '../trace/event.ts';
import { heal, restart, send } from '../system/externals.ts';
import { generate, until, type WorkloadItem } from '../system/workload.ts';
import { finalState, TICKS_PER_READ } from './checks/final-state.ts';
import { followsProtocol } from './checks/protocol.ts';
import { clientOf } from './client.ts';
import { controlOf, READ_FINAL_STATE, type ControlState } from './control.ts';
import { nodeOf, type Cluster } from './node.ts';
import { maelstromOptions, type MaelstromOptions } from './options.ts';
import { planOf } from './plan.ts';
import { clientNames, CONTROL, nodeNames } from './protocol/names.ts';
import { serviceNames, services } from './services/services.ts';
import { neighborsIn } from './topology.ts';
import type { Workload } from './workloads/workload.ts';
import { workloadCalled } from './workloads/workloads.ts';

/** The parts of a system that test nodes with a workload of Maelstrom, for `defineSystem`. */
export interface MaelstromParts {
  readonly processes: Readonly<Record<string, AnyBehavior>>;
  readonly transport: Pick<Transport, 'order' | 'onCut'>;
  readonly links: readonly DeclaredLink[];
  readonly faults: Partial<Faults>;
  readonly workload: readonly WorkloadItem[];
  readonly oracles: Readonly<Record<string, Oracle>>;
  readonly minimize: MinimizeHints<unknown>;
}

const defaults = {
  nodes: 3,
  clients: 2,
  operations: 20,
  keys: 2,
  timeoutMs: 5_000,
  everyMs: 500,
} as const;

/** Nodes, clients, services, a workload and its checks, as Maelstrom has them: its parts are spread into `defineSystem`. */
export function maelstrom(given: MaelstromOptions): MaelstromParts {
  const options = maelstromOptions.checked(given);
  const { keys = defaults.keys, consistency = 'serializable', faults = {} } = options;
  const workload = workloadCalled(options.workload, { keys, consistency });
  const nodes = nodeNames(options.nodes ?? defaults.nodes);
  const clients = clientNames(options.clients ?? defaults.clients);
  const { losses = 0, duplicates = 0 } = faults;
  const parts = { workload, nodes, clients, operations: options.operations ?? defaults.operations, faults };
  const rounds = options.settle?.rounds ?? 4 + 2 * nodes.length;
  return {
    processes: processesOf(options, workload, nodes, clients, rounds),
    transport: { order: 'unordered', onCut: 'drop' },
    links: linksOf(options, nodes, clients),
    faults: { losses, duplicates },
    workload: [
      until((world) => nodes.every((node) => initialized(world)?.[node] !== undefined)),
      generate(1, [1, planOf(parts)]),
      ...(workload.final === undefined ? [] : [heal(), ...nodes.map(restart), send(CONTROL, READ_FINAL_STATE)]),
    ],
    oracles: {
      protocol: followsProtocol(nodes, clients),
      ...(workload.oracle === undefined ? {} : { [options.workload]: workload.oracle }),
      ...(workload.final === undefined
        ? {}
        : { finalState: finalState(nodes, workload.final.check, rounds, workload.oracle) }),
    },
    minimize: { mask: ['msg_id', 'in_reply_to'] },
  };
}

const initialized = (world: World): ControlState['initialized'] | undefined =>
  (world.process(CONTROL).state as ControlState | undefined)?.initialized;

function processesOf(
  { node, services: used = serviceNames, timeoutMs, topology = 'grid', settle = {} }: MaelstromOptions,
  workload: Workload,
  nodes: readonly string[],
  clients: readonly string[],
  rounds: number,
): Record<string, AnyBehavior> {
  const cluster: Cluster = {
    nodes,
    names: new Set([...nodes, ...clients, ...used, CONTROL]),
    ...(workload.hasTopology === true ? { topology: neighborsIn(topology, nodes) } : {}),
  };
  const inner = nodes.map((name) => [name, node(name)] as const);
  const wrapped = new Map(inner.map(([, behavior]) => [behavior, nodeOf(behavior, cluster)]));
  const isControlled = inner.every(([, { host }]) => host?.controlled !== false);
  const { everyMs = defaults.everyMs } = settle;
  const client = clientOf(workload, timeoutMs === false ? undefined : (timeoutMs ?? defaults.timeoutMs));
  return {
    ...Object.fromEntries(inner.map(([name, behavior]) => [name, wrapped.get(behavior) as AnyBehavior])),
    ...Object.fromEntries(used.map((name) => [name, services[name]])),
    // The types of behaviors no longer matter here: the kernel passes states and messages through.
    [CONTROL]: controlOf(
      nodes,
      workload.final,
      isControlled
        ? { everyMs, firstRead: rounds, ticksPerRead: TICKS_PER_READ }
        : { everyMs, firstRead: 1, ticksPerRead: 1, readsMax: rounds },
    ) as unknown as AnyBehavior,
    ...Object.fromEntries(clients.map((name) => [name, client as unknown as AnyBehavior])),
  };
}

/**
 * Partitions cut links between nodes only, as in Maelstrom. Messages of clients are neither lost nor doubled: no node could tell.
 * Requests to services may get lost, and are not doubled, because services do each request once.
 */
function linksOf(
  { services: used = serviceNames }: MaelstromOptions,
  nodes: readonly string[],
  clients: readonly string[],
): DeclaredLink[] {
  const between = nodes.flatMap((node, at) =>
    nodes.slice(at + 1).map((other): DeclaredLink => ({ between: [node, other] })),
  );
  const toService = nodes.flatMap((node) =>
    used.map((name): DeclaredLink => ({ between: [node, name], partitions: false, duplicates: false })),
  );
  const toClient = nodes.flatMap((node) =>
    [CONTROL, ...clients].map((name): DeclaredLink => ({
      between: [node, name],
      partitions: false,
      losses: false,
      duplicates: false,
    })),
  );
  const inputs = [CONTROL, ...clients].map((name): DeclaredLink => ({
    between: [ENVIRONMENT, name],
    partitions: false,
    losses: false,
    duplicates: false,
  }));
  return [...between, ...toService, ...toClient, ...inputs];
}
