import { didYouMean } from '../text/did-you-mean.ts';
import { CulpritError } from '../error.ts';
import { count, field, object, type FieldsOf } from '../kernel/options/fields.ts';
import { checkWeights, optionsOf, pace as paceField, weights as weightsField } from '../kernel/options/options.ts';
import { Random } from '../kernel/data/random.ts';
import type { Strategy } from '../kernel/ports.ts';
import type { Weights } from '../kernel/options/weights.ts';
import type { Plan } from '../system/workload.ts';
import { WeightedChooser } from './choosers/weighted.ts';
import type { Chooser } from './choosers/chooser.ts';
import { FairTail, type Head } from './choosers/fair-tail.ts';
import type { Pace } from '../kernel/declaration.ts';
import { RoundDriver } from './round-driver.ts';
import { WorkloadDriver } from './workload-driver.ts';
import { PctChooser } from './choosers/pct.ts';
import { PctcpChooser } from './choosers/pctcp.ts';
import { PosChooser } from './choosers/pos.ts';
import { RandomChooser } from './choosers/random.ts';
import { RoundRobinChooser } from './choosers/round-robin.ts';

/** The settings of a strategy. */
export interface StrategyOptions {
  /** Determines all random choices: the same seed picks the same events. */
  readonly seed: number;
  /** The events of the environment, in order, as `ResolvedSystem.plan` gives them. */
  readonly plan: Plan;
  /** How likely each kind of event is chosen; 0.25 for timers and 1 for others by default. */
  readonly weights?: Weights;
  /** The expected number of events of an execution. */
  readonly steps: number;
  /** For executions that have to end fairly: the number of rounds, and of events in all. */
  readonly fair?: { readonly rounds: number; readonly eventsMax: number } | undefined;
  /** Where events appear by themselves. */
  readonly pace?: Pace;
}

type Fair = NonNullable<StrategyOptions['fair']>;

const isPlan = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Array.isArray((value as Partial<Plan>).items) &&
  Array.isArray((value as Partial<Plan>).triggers) &&
  Number.isSafeInteger((value as Partial<Plan>).startsFirst);

const strategyFields: FieldsOf<StrategyOptions> = {
  seed: count(0),
  plan: field('an object with items, startsFirst and triggers', isPlan),
  weights: weightsField,
  steps: count(0),
  fair: object<Fair>('an object with rounds and eventsMax', { rounds: count(0), eventsMax: count(1) }, [
    'rounds',
    'eventsMax',
  ]),
  pace: paceField,
};

export const strategyOptions = optionsOf('strategyCalled', strategyFields, ['seed', 'plan', 'steps']);

/** An unknown strategy, or one with a number it cannot take. */
export class BadStrategy extends CulpritError {
  readonly code = 'BAD_STRATEGY';
}

type Make = (random: Random, options: StrategyOptions, depth: number) => Chooser;

const DEPTH = 3;

const choosersByName = {
  random: (random, { weights }) => new RandomChooser(random, weights),
  pct: (random, options, depth) => weighted(new PctChooser(random, depth, options.steps), options),
  pctcp: (random, options, depth) => weighted(new PctcpChooser(random, depth, options.steps), options),
  pos: (random, options) => weighted(new PosChooser(random), options),
  'round-robin': (random) => new RoundRobinChooser(random),
} satisfies Readonly<Record<string, Make>>;

const choosers: ReadonlyMap<string, Make> = new Map(Object.entries<Make>(choosersByName));

/** The name of a strategy; `pct` and `pctcp` take the depth of the bug, such as `pct:4`. */
export type StrategyName = keyof typeof choosersByName | `${'pct' | 'pctcp'}:${number}`;

/** The strategies that a text names, such as `random,pos,pct:3`. Whether there are such strategies is checked when they are made. */
export const strategiesIn = (text: string): readonly StrategyName[] =>
  text.split(',').map((name) => name.trim() as StrategyName);

const weighted = (chooser: Chooser, { seed, weights }: StrategyOptions): Chooser =>
  new WeightedChooser(chooser, Random.seeded(seed, 0x6361_6c6d), weights);

/** The names of all strategies. */
export const strategyNames = Object.keys(choosersByName) as readonly (keyof typeof choosersByName)[];

/** `random`, `pos`, `round-robin`, `pct` or `pctcp`; the last two take the depth of the bug, such as `pct:4`. */
export function strategyCalled(name: StrategyName): (options: StrategyOptions) => Strategy {
  const make = trustedStrategy(name);
  return (given) => {
    const options = strategyOptions.checked(given);
    if (options.weights !== undefined) checkWeights(options.weights);
    return make(options);
  };
}

/** The same without checking the options, for our own callers, which make a strategy for every execution. */
export function trustedStrategy(name: string): (options: StrategyOptions) => Strategy {
  const [kind = '', depthText, ...rest] = name.trim().split(':');
  const make = choosers.get(kind);
  if (make === undefined || rest.length > 0) {
    throw new BadStrategy(
      `there is no strategy called ${JSON.stringify(name)}${didYouMean(kind, strategyNames) || '.'}`,
      `Choose among ${strategyNames.join(', ')}.`,
    );
  }
  const depth = depthText === undefined ? DEPTH : Number(depthText);
  if (!Number.isInteger(depth) || depth < 1 || (depthText !== undefined && !kind.startsWith('pct'))) {
    throw new BadStrategy(
      `the strategy ${JSON.stringify(name)} has an invalid depth.`,
      'Only pct and pctcp take a depth, 1 or more: pct:3.',
    );
  }
  return (options) => {
    const chance = Random.seeded(options.seed, 0x696e_6a65);
    const chooser = make(Random.seeded(options.seed, 0x6368_6f6f), options, depth);
    if (options.pace !== undefined) return new RoundDriver(chooser, chance, options.plan, options.pace);
    const head = new WorkloadDriver(chooser, chance, options.plan);
    return options.fair === undefined ? head : withFairTail(head, options, options.fair);
  };
}

/** The head may take half of the events, because the rest decides. */
function withFairTail(head: Head, { seed, steps }: StrategyOptions, { rounds, eventsMax }: Fair): Strategy {
  const random = Random.seeded(seed, 0x6661_6972);
  const half = Math.ceil(eventsMax / 2);
  const room = { events: random.below(Math.min(steps, half) + 1), eventsMax: half };
  return new FairTail(head, new RoundRobinChooser(random), room, rounds);
}
