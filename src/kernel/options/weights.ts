import type { Internal } from '../../trace/event.ts';
import { didYouMean } from '../../text/did-you-mean.ts';

/** The kinds that have weights: those of internal events, and `external` for the next event of the workload. */
export type WeighedKind = Internal['kind'] | 'external';

/** How likely an event of each kind is chosen, against the others that could be. */
export type Weights = Readonly<Partial<Record<WeighedKind, number>>>;

/** Timers are nearly always pending, messages only for a while: with equal weights timers would starve them. */
const defaultWeights: Readonly<Record<WeighedKind, number>> = {
  deliver: 1,
  return: 1,
  fire: 0.25,
  complete: 1,
  spawn: 1,
  external: 1,
};

/** The kinds that can be given a weight. */
export const weighedKinds: readonly string[] = Object.keys(defaultWeights);

/** The weight of every kind. A kind that is not given has its default. */
export const everyWeight = (given: Weights = {}): Readonly<Record<WeighedKind, number>> => ({
  ...defaultWeights,
  ...given,
});

/** The problem with weights that a user wrote, and the remedy; undefined if the weights are valid. */
export function whyBadWeights(given: Weights): readonly [problem: string, next: string] | undefined {
  for (const [kind, weight] of Object.entries(given)) {
    if (!weighedKinds.includes(kind))
      return [
        `there is no weight for ${JSON.stringify(kind)}${didYouMean(kind, weighedKinds) || '.'}`,
        `Kinds with a weight are ${weighedKinds.join(', ')}.`,
      ];
    if (!Number.isFinite(weight) || weight < 0)
      return [`the weight of ${kind} is ${String(weight)}.`, 'A weight is a number, 0 or more.'];
  }
  if (Object.values(everyWeight(given)).some((weight) => weight > 0)) return undefined;
  return ['all weights are 0: nothing could be chosen.', 'Give at least one kind of event a weight above 0.'];
}
