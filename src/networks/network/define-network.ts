import type { AnyBehavior } from '../../kernel/behavior.ts';
import { withoutUndefined } from '../../kernel/options/fields.ts';
import { defineSystem } from '../../system/define-system.ts';
import type { AnyDefinition, System } from '../../system/definition.ts';
import type { WorkloadItem } from '../../system/workload.ts';
import type { Topology } from '../topology/topology.ts';
import { controllersFirst } from '../invariants/controllers.ts';
import { network, type Network } from './network.ts';
import type { NetworkOptions } from './options.ts';
import type { RoundRates } from './round-traffic.ts';
import { isOfSettlePhase, type SettleOptions } from './traffic.ts';

/** The definition of a network with its controllers. The other fields are those of any system. */
export interface NetworkDefinition
  extends Omit<AnyDefinition, 'processes' | 'topology' | 'workload'>, Omit<NetworkOptions, 'controllers'> {
  readonly topology: Topology;
  /** The processes that control the switches. */
  readonly controllers: Readonly<Record<string, AnyBehavior>>;
  /** The controllers of each switch; all of them by default. */
  readonly controllersOf?: (name: string) => readonly string[];
  /** Further processes. */
  readonly processes?: Readonly<Record<string, AnyBehavior>>;
  /** A phase before the traffic in which stations ping, so that the network learns where they are. Minimizing drops nothing of it. */
  readonly settle?: SettleOptions;
  /** The workload, made from the traffic of the network; or rates at which things happen in each round. */
  readonly traffic?: ((network: Network) => readonly (WorkloadItem | readonly WorkloadItem[])[]) | RoundsOfTraffic;
}

export interface RoundsOfTraffic extends RoundRates {
  /** How many rounds an execution has; 100 by default. */
  readonly rounds?: number;
}

const ROUNDS = 100;

const workloadOf = (made: Network, traffic: NetworkDefinition['traffic']): readonly WorkloadItem[] => {
  if (traffic === undefined) return [];
  if (typeof traffic === 'function') return traffic(made).flat();
  const { rounds = ROUNDS, ...rates } = traffic;
  return [made.rounds(rounds, rates)];
};

/** The channels of a process that crashes are closed, which switches notice. */
const transport = { onCrash: { notice: { type: 'closed' } } };

const keepingSettlePhase = (hints: NetworkDefinition['minimize'] = {}): NonNullable<NetworkDefinition['minimize']> => ({
  ...hints,
  keep: (event) => isOfSettlePhase(event) || hints.keep?.(event) === true,
});

/** Defines a system of controllers, switches and stations. */
export function defineNetwork(definition: NetworkDefinition): System {
  const {
    topology,
    controllers,
    controllersOf,
    processes = {},
    traffic,
    settle,
    links = [],
    actions = {},
    commands = {},
    switches,
    stations,
    migrations,
    reorder,
    oneSided,
    channelCuts,
    ...rest
  } = definition;
  const made = network(topology, {
    controllers: controllersOf ?? Object.keys(controllers),
    ...(withoutUndefined({ switches, stations, migrations, reorder, oneSided, channelCuts }) as NetworkOptions),
  });
  return defineSystem({
    phrases: made.phrases,
    transport,
    ...rest,
    processes: { ...controllers, ...processes, ...made.processes },
    links: [...made.links, ...links],
    actions: { ...made.actions, ...actions },
    commands: { ...made.commands, ...commands },
    topology: made.topology,
    ...(rest.invariants === undefined ? {} : { invariants: controllersFirst(rest.invariants) }),
    ...(settle === undefined ? {} : { minimize: keepingSettlePhase(rest.minimize) }),
    workload: [...(settle === undefined ? [] : made.settle(settle)), ...workloadOf(made, traffic)],
  });
}
