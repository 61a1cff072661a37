import type { AnyBehavior } from '../kernel/behavior.ts';
import type { DeclaredLink, Faults, Pace, Transport } from '../kernel/declaration.ts';
import type { Oracle } from '../kernel/ports.ts';
import type { World } from '../kernel/world.ts';
import type { MinimizeHints } from '../system/definition.ts';
import type { AnyPhrases } from '../system/phrases.ts';
import { ENVIRONMENT } from '../trace/event.ts';
import { checkBehavior } from '../system/check-definition.ts';
import { heal, restart, send } from '../system/externals.ts';
import { generate, until, type WorkloadItem } from '../system/workload.ts';
import { finalState, TICKS_PER_READ } from './checks/final-state.ts';
import { followsProtocol } from './checks/protocol.ts';
import { clientOf } from './client.ts';
import { controlOf, READ_FINAL_STATE, type ControlState } from './control.ts';
import { nodeOf } from './node.ts';
import type { Cluster } from './node-context.ts';
import { maelstromOptions, type MaelstromOptions, type NodeFaults } from './options.ts';
import { maelstromPhrases } from './phrases.ts';
import { planOf } from './plan.ts';
import { whyNoBody, withoutNumbers, type Body } from './protocol/body.ts';
import { clientNames, CONTROL, nodeNames } from './protocol/names.ts';
import { serviceNames, services, type ServiceName } from './services/services.ts';
import { neighborsIn, type TopologyName } from './topology.ts';
import type { Workload } from './workloads/workload.ts';
import { workloadCalled } from './workloads/workloads.ts';

/** The parts of a system that test nodes with a workload of Maelstrom, for `defineSystem`. */
export interface MaelstromParts {
  /** Nodes, clients, services and the control process, by name. */
  readonly processes: Readonly<Record<string, AnyBehavior>>;
  /** Messages overtake one another, and a cut drops them. */
  readonly transport: Pick<Transport, 'order' | 'onCut'>;
  /** Which links faults concern: those between nodes. */
  readonly links: readonly DeclaredLink[];
  /** The budgets of lost and duplicated messages. */
  readonly faults: Partial<Faults>;
  /** The requests of clients, and the final reads. */
  readonly workload: readonly WorkloadItem[];
  /** What is checked: the protocol, the workload, and the final state. */
  readonly oracles: Readonly<Record<string, Oracle>>;
  /** How messages are compared where one replaces another. */
  readonly minimize: MinimizeHints<unknown>;
  /** The words for messages in stories. */
  readonly phrases: AnyPhrases;
  /** Where nodes run by themselves: an execution lasts until the final reads are over. */
  readonly pace?: Partial<Pace>;
}

/** The options with every default. */
interface Setup {
  readonly workload: Workload;
  readonly nodes: readonly string[];
  readonly clients: readonly string[];
  readonly services: readonly ServiceName[];
  readonly operations: number;
  readonly faults: NodeFaults;
  /** The behavior of each node. */
  readonly behaviors: ReadonlyMap<string, AnyBehavior>;
  /** Whether nothing happens to nodes unless culprit lets it happen. */
  readonly isControlled: boolean;
  readonly rounds: number;
  readonly everyMs: number;
  readonly timeoutMs: number | undefined;
  readonly initMs: number;
  readonly topology: TopologyName;
}

function setupOf(options: MaelstromOptions): Setup {
  const { keys = 2, consistency = 'serializable', settle = {} } = options;
  const nodes = nodeNames(options.nodes ?? 3);
  const behaviors = new Map(nodes.map((name) => [name, options.node(name)]));
  for (const [name, behavior] of behaviors) checkBehavior(`the node ${name}`, behavior);
  const { rounds = 4 + 2 * nodes.length, everyMs = 300 } = settle;
  return {
    workload: workloadCalled(options.workload, { keys, consistency }),
    nodes,
    clients: clientNames(options.clients ?? 2),
    services: options.services ?? serviceNames,
    operations: options.operations ?? 20,
    faults: options.faults ?? {},
    behaviors,
    isControlled: [...behaviors.values()].every(({ host }) => host?.controlled !== false),
    rounds,
    everyMs,
    timeoutMs: timeoutOf(options),
    initMs: options.initMs ?? 10_000,
    topology: options.topology ?? 'grid',
  };
}

const timeoutOf = ({ timeoutMs = 5_000 }: MaelstromOptions): number | undefined =>
  timeoutMs === false ? undefined : timeoutMs;

/** Nodes, clients, services, a workload and its checks, as Maelstrom has them: its parts are spread into `defineSystem`. */
export function maelstrom(options: MaelstromOptions): MaelstromParts {
  const setup = setupOf(maelstromOptions.checked(options));
  const { workload, nodes, clients, rounds, everyMs, faults, isControlled } = setup;
  const { losses = 0, duplicates = 0 } = faults;
  return {
    processes: processesOf(setup),
    transport: { order: 'unordered', onCut: 'drop' },
    links: linksOf(setup),
    faults: { losses, duplicates },
    workload: [
      until((world) => nodes.every((node) => isReady(world, node, isControlled))),
      generate(1, [1, planOf(setup)]),
      ...(workload.final === undefined
        ? []
        : [heal(), ...nodes.map((name) => restart(name)), send(CONTROL, READ_FINAL_STATE)]),
    ],
    oracles: {
      protocol: followsProtocol(isControlled ? nodes : [], clients),
      ...(workload.oracle === undefined ? {} : { [options.workload]: workload.oracle }),
      ...(workload.final === undefined
        ? {}
        : { finalState: finalState(nodes, workload.final.check, isControlled ? rounds : undefined, workload.oracle) }),
    },
    minimize: { fingerprint: meaningOf },
    phrases: maelstromPhrases(clients),
    ...(isControlled ? {} : { pace: { roundMs: 50, quietMs: Math.max(QUIET_MS, 2 * everyMs) } }),
  };
}

/** Messages that mean the same have the same number of a request or another one; answers differ with everything before them. */
function meaningOf(message: unknown): unknown {
  // Processes that the user adds may have messages of another form.
  if (whyNoBody(message) !== undefined) return message;
  const body = message as Body;
  if (body.in_reply_to === undefined) return withoutNumbers(body);
  return { type: body.type, ...(body.type === 'error' ? { code: body['code'] } : {}) };
}

/** Whether a node has answered `init`. The start of a program takes until it has. */
const isReady = (world: World, node: string, isControlled: boolean): boolean =>
  isControlled
    ? (world.process(CONTROL).state as ControlState | undefined)?.initialized[node] !== undefined
    : world.process(node).up;

function processesOf(setup: Setup): Record<string, AnyBehavior> {
  const { workload, nodes, clients, services: used, behaviors, isControlled, rounds, everyMs } = setup;
  const cluster: Cluster = {
    nodes,
    names: new Set([...nodes, ...clients, ...used, CONTROL]),
    initMs: setup.initMs,
    ...(workload.hasTopology === true ? { topology: neighborsIn(setup.topology, nodes) } : {}),
  };
  // Nodes with the same behavior keep that in common, which helps to minimize.
  const wrapped = new Map([...behaviors.values()].map((behavior) => [behavior, nodeOf(behavior, cluster)]));
  const settling = isControlled
    ? { everyMs, readsAt: (tick: number) => tick >= rounds && (tick - rounds) % TICKS_PER_READ === 0 }
    : { everyMs, readsAt: isPowerOfTwo, lastTick: 2 * rounds };
  // The types of behaviors no longer matter here: the kernel passes states and messages through.
  const control = controlOf(nodes, workload.final, settling) as unknown as AnyBehavior;
  const client = clientOf(workload, setup.timeoutMs) as unknown as AnyBehavior;
  // Nodes start last, so that nothing they send at their start has to wait for its receiver.
  return {
    [CONTROL]: control,
    ...Object.fromEntries(clients.map((name) => [name, client])),
    ...Object.fromEntries(used.map((name) => [name, services[name]])),
    ...Object.fromEntries([...behaviors].map(([name, behavior]) => [name, wrapped.get(behavior) as AnyBehavior])),
  };
}

/** On a busy machine, a program or a timer may be late by less than this: the execution is not over yet. */
const QUIET_MS = 600;

/** Nodes that run by themselves are read less and less often: every read is a number of events. */
const isPowerOfTwo = (tick: number): boolean => (tick & (tick - 1)) === 0;

/**
 * Partitions cut links between nodes only, as in Maelstrom. Messages of clients are neither lost nor doubled: no node could tell.
 * Requests to services may get lost, and are not doubled, because services do each request once.
 */
function linksOf({ nodes, clients, services: used }: Setup): DeclaredLink[] {
  const ours = [CONTROL, ...clients];
  const safe = { partitions: false, losses: false, duplicates: false };
  return [
    ...nodes.flatMap((node, at) => nodes.slice(at + 1).map((other): DeclaredLink => ({ between: [node, other] }))),
    ...nodes.flatMap((node) =>
      used.map((name): DeclaredLink => ({ between: [node, name], partitions: false, duplicates: false })),
    ),
    ...[ENVIRONMENT, ...nodes].flatMap((from) =>
      ours.map((name): DeclaredLink => ({ between: [from, name], ...safe })),
    ),
  ];
}
