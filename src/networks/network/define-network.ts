import type { AnyBehavior } from '../../kernel/behavior.ts';
import { withoutUndefined } from '../../kernel/options/fields.ts';
import { defineSystem } from '../../system/define-system.ts';
import type { AnyDefinition, System } from '../../system/definition.ts';
import type { WorkloadItem } from '../../system/workload.ts';
import type { Event } from '../../trace/event.ts';
import type { Topology } from '../topology/topology.ts';
import { controllersFirst } from '../invariants/controllers.ts';
import { recovers } from '../switch/switch-faults.ts';
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

/**
 * How messages are compared, and what minimizing keeps: the settle phase; and beside a controller that acts by itself the starts, with
 * which switches connect to it.
 */
function hintsOf(
  { minimize = {}, settle, controllers }: NetworkDefinition,
  { fingerprint }: Network,
): NonNullable<NetworkDefinition['minimize']> {
  const isLive = Object.values(controllers).some(({ host }) => host?.controlled === false);
  const keeps = (event: Event): boolean =>
    (settle !== undefined && isOfSettlePhase(event)) || (isLive && event.kind === 'start');
  return {
    fingerprint,
    undoes: recovers,
    ...minimize,
    keep: (event) => keeps(event) || minimize.keep?.(event) === true,
  };
}

type OptionsInDefinition = Omit<NetworkOptions, 'controllers'>;

/** The fields of a definition that are options of `network`. */
const optionNames: Readonly<Record<keyof OptionsInDefinition, true>> = {
  switches: true,
  stations: true,
  migrations: true,
  reorder: true,
  oneSided: true,
  channelCuts: true,
  alsoCompare: true,
  passKeepalives: true,
  passFrames: true,
};

/** The options of `network` in a definition, and its other fields. */
function separated(definition: NetworkDefinition) {
  const fields = Object.entries(withoutUndefined(definition));
  const isOption = ([name]: [string, unknown]): boolean => Object.hasOwn(optionNames, name);
  return {
    options: Object.fromEntries(fields.filter(isOption)) as OptionsInDefinition,
    others: Object.fromEntries(fields.filter((field) => !isOption(field))) as unknown as Omit<
      NetworkDefinition,
      keyof OptionsInDefinition
    >,
  };
}

/** Defines a system of controllers, switches and stations. */
export function defineNetwork(definition: NetworkDefinition): System {
  const { options, others } = separated(definition);
  const { topology, controllers, controllersOf, processes = {}, traffic, settle, ...rest } = others;
  const { links = [], actions = {}, passing = [] } = rest;
  const made = network(topology, { controllers: controllersOf ?? Object.keys(controllers), ...options });
  return defineSystem({
    phrases: made.phrases,
    transport,
    ...rest,
    processes: { ...controllers, ...processes, ...made.processes },
    links: [...made.links, ...links],
    actions: { ...made.actions, ...actions },
    passing: [...made.passing, ...passing],
    topology: made.topology,
    ...(rest.invariants === undefined ? {} : { invariants: controllersFirst(rest.invariants) }),
    minimize: hintsOf(definition, made),
    workload: [...(settle === undefined ? [] : made.settle(settle)), ...workloadOf(made, traffic)],
  });
}
