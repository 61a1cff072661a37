import type { AnyBehavior } from '../../kernel/behavior.ts';
import { withoutUndefined } from '../../kernel/options/fields.ts';
import { defineSystem } from '../../system/define-system.ts';
import type { AnyDefinition, MinimizeHints, System } from '../../system/definition.ts';
import type { WorkloadItem } from '../../system/workload.ts';
import type { Topology } from '../topology/topology.ts';
import { controllersFirst } from '../invariants/controllers.ts';
import { network, type Network } from './network.ts';
import { budgetsBesides, isFailureRate, networkFaults, type NetworkFaults } from './network-faults.ts';
import type { NetworkOptions } from './options.ts';
import type { TrafficRates } from './round-traffic.ts';
import { isOfSettlePhase, type SettleOptions } from './traffic.ts';

/** The definition of a network with its controllers. The other fields are those of any system. */
export interface NetworkDefinition
  extends
    Omit<AnyDefinition, 'processes' | 'topology' | 'workload' | 'faults' | 'faultRates'>,
    Omit<NetworkOptions, 'controllers'> {
  /** The switches, links and stations: `mesh(3)`, `fatTree(4)`, or your own data. */
  readonly topology: Topology;
  /** The processes that control the switches. */
  readonly controllers: Readonly<Record<string, AnyBehavior>>;
  /** The controllers of each switch; all of them by default. */
  readonly controllersOf?: (name: string) => readonly string[];
  /** Further processes, such as a store of the controllers. They start first. */
  readonly processes?: Readonly<Record<string, AnyBehavior>>;
  /** A phase before the traffic in which stations ping, so that the network learns where they are. Minimizing drops nothing of it. */
  readonly settle?: SettleOptions;
  /** What stations do: a list, or a function of the network that gives one; or rates at which they do it in each round. */
  readonly traffic?: ((network: Network) => readonly Traffic[]) | readonly Traffic[] | TrafficRates;
  /** Rates at which things fail; and budgets, which bound them. */
  readonly faults?: NetworkFaults;
  /** How many rounds an execution has, if there are rates; 100 by default. */
  readonly rounds?: number;
}

/** A list in a list is spread. */
type Traffic = WorkloadItem | readonly WorkloadItem[];

const ROUNDS = 100;

/** A list by itself is the workload as it is; beside failures, or with a number of rounds, it is spread over the rounds. */
function workloadOf(made: Network, { traffic = [], faults = {}, rounds, pace }: NetworkDefinition): WorkloadItem[] {
  const given = typeof traffic === 'function' ? traffic(made) : traffic;
  const isList = (some: typeof given): some is readonly Traffic[] => Array.isArray(some);
  const inputs = isList(given) ? given.flat() : given;
  const hasRounds = rounds !== undefined || !isList(given) || Object.keys(withoutUndefined(faults)).some(isFailureRate);
  if (!hasRounds) return inputs as WorkloadItem[];
  const { roundMs } = pace ?? {};
  return [made.rounds(rounds ?? ROUNDS, { traffic: inputs, faults, ...(roundMs === undefined ? {} : { roundMs }) })];
}

/** The channels of a process that crashes are closed, which switches notice. */
const transport = { onCrash: { notice: { type: 'closed' } } };

/** How messages are compared, and the hints of the network beside those of the definition. */
function hintsOf(
  { minimize: ours, fingerprint }: Network,
  { minimize: given = {}, settle }: NetworkDefinition,
): MinimizeHints<unknown> {
  const keeps = [ours.keep, ...(settle === undefined ? [] : [isOfSettlePhase]), ...(given.keep ? [given.keep] : [])];
  return {
    fingerprint,
    ...given,
    fails: (external) => ours.fails(external) ?? given.fails?.(external),
    recovers: (external) => ours.recovers(external) ?? given.recovers?.(external),
    keep: (event) => keeps.some((keep) => keep(event)),
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
  const {
    topology,
    controllers,
    controllersOf,
    processes = {},
    settle,
    traffic: _traffic,
    rounds: _rounds,
    ...rest
  } = others;
  const { links = [], actions = {}, commands = {}, passing = [], faults = {}, ...fields } = rest;
  const made = network(topology, { controllers: controllersOf ?? Object.keys(controllers), ...options });
  const rates = networkFaults.checked(faults);
  return defineSystem({
    phrases: made.phrases,
    transport,
    ...fields,
    processes: { ...processes, ...controllers, ...made.processes },
    links: [...made.links, ...links],
    actions: { ...made.actions, ...actions },
    passing: [...made.passing, ...passing],
    commands: { ...made.commands, ...commands },
    topology: made.topology,
    faults: budgetsBesides(rates),
    faultRates: made.faultRates(rates),
    ...(fields.invariants === undefined ? {} : { invariants: controllersFirst(fields.invariants) }),
    minimize: hintsOf(made, definition),
    workload: [...(settle === undefined ? [] : made.settle(settle)), ...workloadOf(made, definition)],
  });
}
