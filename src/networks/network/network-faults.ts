import { noFaults, type Faults } from '../../kernel/declaration.ts';
import { countOrEndless, field, type Field, type FieldsOf } from '../../kernel/options/fields.ts';
import { faultBudgets, optionsOf } from '../../kernel/options/options.ts';

/** How likely each thing fails in a round, from 0 to 1; and how likely it recovers, if it has failed so. */
export interface FailureRates {
  /** For each channel between a controller and a switch: messages on it wait. */
  readonly channelBlock?: number;
  /** For each channel that is blocked: its messages are delivered again. */
  readonly channelUnblock?: number;
  /** For each channel: the switch closes it, and connects again at once. */
  readonly channelReset?: number;
  /** For each switch: it loses its channels, and keeps its table. */
  readonly controlFailure?: number;
  /** For each switch without channels: it connects again. */
  readonly controlRecovery?: number;
  /** For each switch: it crashes. */
  readonly powerFailure?: number;
  /** For each switch that is down: it starts again, with an empty table. */
  readonly powerRecovery?: number;
  /** For each link between switches: frames on it are lost. */
  readonly linkFailure?: number;
  /** For each link that is down: it carries frames again. */
  readonly linkRecovery?: number;
  /** For each controller: it crashes. */
  readonly controllerFailure?: number;
  /** For each controller that is down: it starts again. */
  readonly controllerRecovery?: number;
  /** For each controller: it does nothing for a while. */
  readonly controllerPause?: number;
  /** For each controller that is paused: it continues, and gets what has waited. */
  readonly controllerResume?: number;
  /** For each pair of controllers: messages between them wait. */
  readonly controllerPartition?: number;
  /** For each pair that is parted: what has waited between them is delivered. */
  readonly controllerHeal?: number;
}

/** How likely each message is lost, or waits for another event, when its turn comes; from 0 to 1. */
export interface DeliveryRates {
  /** For each frame on a link between switches, but those of discovery protocols. */
  readonly frameLoss?: number;
  /** For the same frames: they wait for another event. */
  readonly frameDelay?: number;
  /** For each frame of a discovery protocol, LLDP or BDDP. */
  readonly discoveryLoss?: number;
  /** For the same frames: they wait for another event. */
  readonly discoveryDelay?: number;
  /** For each message of a controller to a switch. */
  readonly receiptDelay?: number;
  /** For each message of a switch to a controller. */
  readonly sendDelay?: number;
  /** For each flow_mod, beside a controller that is a real program: it takes effect late. For switches with a `delayedTable`. */
  readonly tableDelay?: number;
}

/** How many failures of a kind an execution may have: the budgets of every system, and two for what only networks have. */
export interface FailureBudgets extends Partial<Faults> {
  /** Switches that lose their channels at a rate; without a bound by default. */
  readonly controlFailures?: number;
  /** Channels that a switch closes and opens again at a rate; without a bound by default. */
  readonly channelResets?: number;
}

/** Rates at which things fail, and budgets that bound them. */
export interface NetworkFaults extends FailureRates, DeliveryRates, FailureBudgets {}

/** The failures of STS (Scott and others, 2014). It loses no frames, and delays nothing. */
export const publishedFaults = {
  linkFailure: 0.005,
  linkRecovery: 0.09,
  controlFailure: 0.005,
  controlRecovery: 0.09,
} as const satisfies NetworkFaults;

export const rate: Field = field(
  'a number from 0 to 1',
  (given) => typeof given === 'number' && given >= 0 && given <= 1,
);

const failureRates: FieldsOf<FailureRates> = {
  channelBlock: rate,
  channelUnblock: rate,
  channelReset: rate,
  controlFailure: rate,
  controlRecovery: rate,
  powerFailure: rate,
  powerRecovery: rate,
  linkFailure: rate,
  linkRecovery: rate,
  controllerFailure: rate,
  controllerRecovery: rate,
  controllerPause: rate,
  controllerResume: rate,
  controllerPartition: rate,
  controllerHeal: rate,
};

const deliveryRates: FieldsOf<DeliveryRates> = {
  frameLoss: rate,
  frameDelay: rate,
  discoveryLoss: rate,
  discoveryDelay: rate,
  receiptDelay: rate,
  sendDelay: rate,
  tableDelay: rate,
};

export const networkFaults = optionsOf<NetworkFaults>('faults', {
  ...failureRates,
  ...deliveryRates,
  ...faultBudgets,
  controlFailures: countOrEndless(0),
  channelResets: countOrEndless(0),
});

/** Whether the rate is one of failures in rounds. */
export const isFailureRate = (name: string): name is keyof FailureRates => Object.hasOwn(failureRates, name);

/** Whether the rate is one of faults, in rounds or of messages. */
export const isFaultRate = (name: string): boolean => isFailureRate(name) || Object.hasOwn(deliveryRates, name);

/** The rates whose faults count as one of this budget. */
const ratesWithin: { readonly [K in keyof Faults]?: readonly (keyof NetworkFaults)[] } = {
  crashes: ['powerFailure', 'controllerFailure'],
  restarts: ['powerRecovery', 'controllerRecovery'],
  partitions: ['channelBlock', 'linkFailure', 'controllerPartition'],
  pauses: ['controllerPause'],
};

/**
 * The budgets of a system, of what the environment does at any time. A budget that bounds rates is none of them: otherwise the environment
 * would spend it before the rates do.
 */
export function budgetsBesides(faults: NetworkFaults): Partial<Faults> {
  const boundsRates = (budget: keyof Faults): boolean =>
    ratesWithin[budget]?.some((name) => (faults[name] ?? 0) > 0) === true;
  return Object.fromEntries(
    Object.entries(faults).filter(([name]) => Object.hasOwn(noFaults, name) && !boundsRates(name as keyof Faults)),
  );
}
