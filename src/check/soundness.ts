import type { CheckBounds } from './options.ts';
import type { PlanExplorer } from './plan-explorer.ts';
import { plural } from '../text/plural.ts';
import { provisosOf } from './reduce/policies.ts';
import { kindOf } from './searches.ts';

/** The beginning of the reason that an interrupted check gives. */
export const INTERRUPTED = 'the check was interrupted';

/** The reasons why the verdict is unknown; empty if it is known. */
export const reasonsUnknown = (explorer: PlanExplorer, bounds: CheckBounds): string[] => [
  ...aboutExecutions(explorer, bounds),
  ...aboutRules(explorer, bounds),
  ...aboutTheSystem(explorer, bounds),
];

/** The assumptions of the verdict. */
export function assumptionsOf({ verdicts }: PlanExplorer, { search, reduce }: CheckBounds): string[] {
  const isReduced = kindOf[search] === 'reduced';
  return [
    ...provisosOf(reduce),
    ...when(isReduced && verdicts.countsRounds, 'fair rounds were counted in one order of independent events'),
    ...when(isReduced && verdicts.trustsOracles, 'oracles that declare themselves order-insensitive are'),
  ];
}

function aboutExecutions({ plans, whyEnded }: PlanExplorer, { search, eventsMax, signal }: CheckBounds): string[] {
  const cut = total(plans, 'cut');
  // An exhaustive search covers all executions within the bounds, so a longer one is out of bounds and not left out.
  // But novelty continues from a world as it first met it, perhaps with more events than necessary.
  const isBound = kindOf[search] === 'exhaustive' || (kindOf[search] === 'stateful' && search !== 'novelty');
  const ended = whyEnded ?? (signal?.aborted === true ? INTERRUPTED : 'the budget was spent');
  return [
    ...when(
      plans.some(({ isComplete }) => !isComplete),
      `${ended}${whyEnded === undefined ? '' : ','} before the exploration was complete`,
    ),
    ...when(cut > 0 && !isBound, `${plural(cut, 'execution')} had not ended after ${plural(eventsMax, 'event')}`),
  ];
}

function aboutRules({ plans, refuted }: PlanExplorer, { estimateReduction }: CheckBounds): string[] {
  const pruned = new Map<string, number>();
  for (const { tally } of plans)
    for (const [policy, count] of tally.pruned) pruned.set(policy, (pruned.get(policy) ?? 0) + count);
  const infeasible = total(plans, 'infeasible');
  return [
    ...[...pruned].map(([policy, count]) => `${policy} pruned ${plural(count, 'time')}, heuristically`),
    ...when(
      infeasible > 0,
      `some rule is wrong: an event that had to be enabled was not, ${plural(infeasible, 'time')}`,
    ),
    // An estimate asks rules and does not obey them.
    ...(estimateReduction.length > 0 ? [] : refuted.map(({ rule }) => `the rule for ${rule} is wrong`)),
  ];
}

function aboutTheSystem({ system, verdicts, budget, plans }: PlanExplorer, { search, seed }: CheckBounds): string[] {
  const { items, triggers } = system.plan(seed);
  const { crashes, restarts, partitions } = budget;
  return [
    ...when(
      system.declaration.kinds.size > 0 && crashes + restarts + partitions > 0,
      'faults happened to declared processes only, not to processes that joined',
    ),
    ...when(
      kindOf[search] === 'reduced' && verdicts.remembersOrder,
      'an oracle depends on the history, and only one order of independent events was explored; --search depth explores all',
    ),
    ...when(triggers.length > 0, 'a check does not run triggers'),
    ...when(
      items.some((item) => item.kind === 'until' && 'withinMs' in item && item.withinMs !== undefined),
      'a check waits for the condition of a wait with `withinMs`, however long that takes',
    ),
    // Plans say which links the environment heals, and only executions tell what an action cuts. Novelty asks every world instead.
    ...when(
      search !== 'novelty' && partitions > 0 && total(plans, 'cutsByActions') > 0,
      'an action cuts links, and executions in which the environment heals them were not explored',
    ),
    ...when(
      kindOf[search] === 'stateful' && verdicts.remembers,
      'an oracle depends on the history, and only one path to each state was explored',
    ),
    ...(verdicts.whyUnknown === undefined ? [] : [verdicts.whyUnknown]),
  ];
}

const when = (isSo: boolean, doubt: string): string[] => (isSo ? [doubt] : []);

const total = (plans: PlanExplorer['plans'], what: 'cut' | 'infeasible' | 'cutsByActions'): number =>
  plans.reduce((sum, { tally }) => sum + tally[what], 0);
