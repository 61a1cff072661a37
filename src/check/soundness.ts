import type { CheckBounds } from './options.ts';
import type { PlanExplorer } from './plan-explorer.ts';
import { plural } from '../text/plural.ts';
import { provisosOf } from './reduce/policies.ts';
import { kindOf } from './searches.ts';

/** How the reason begins that a check gives where it was stopped. */
export const INTERRUPTED = 'it was interrupted';

/** Why nobody knows whether something is violated; nothing where it holds. */
export const doubtsIn = (examination: PlanExplorer, bounds: CheckBounds): string[] => [
  ...aboutExecutions(examination, bounds),
  ...aboutRules(examination, bounds),
  ...aboutTheSystem(examination, bounds),
];

/** What has to be so for a verdict to be right. */
export function providedIn({ jury }: PlanExplorer, { search, reduce }: CheckBounds): string[] {
  const isReduced = kindOf[search] === 'reduced';
  return [
    ...provisosOf(reduce),
    ...when(isReduced && jury.countsRounds, 'fair rounds were counted in one order of independent events'),
    ...when(
      isReduced && jury.trustsOracles,
      'the order of independent events makes no difference to oracles that say so',
    ),
  ];
}

function aboutExecutions({ plans, whyEnded }: PlanExplorer, { search, eventsMax, signal }: CheckBounds): string[] {
  const cut = total(plans, 'cut');
  // Where everything is gone through, what is longer than allowed is out of bounds, and not left out. But novelty goes on
  // from a world where it met it first, which may be later than need be.
  const isBound = kindOf[search] === 'exhaustive' || (kindOf[search] === 'stateful' && search !== 'novelty');
  const ended = whyEnded ?? (signal?.aborted === true ? INTERRUPTED : 'the budget was spent');
  return [
    ...when(
      plans.some(({ isComplete }) => !isComplete),
      `${ended}${whyEnded === undefined ? '' : ','} before everything had been explored`,
    ),
    ...when(cut > 0 && !isBound, `${plural(cut, 'execution')} had not ended after ${plural(eventsMax, 'event')}`),
  ];
}

function aboutRules({ plans, refuted }: PlanExplorer, { weigh }: CheckBounds): string[] {
  const pruned = new Map<string, number>();
  for (const { tally } of plans)
    for (const [policy, count] of tally.pruned) pruned.set(policy, (pruned.get(policy) ?? 0) + count);
  const astray = total(plans, 'astray');
  return [
    ...[...pruned].map(([policy, count]) => `${policy} left something out, ${plural(count, 'time')}`),
    ...when(astray > 0, `some rule is wrong: what had to be possible was not, ${plural(astray, 'time')}`),
    // Rules that are weighed are not obeyed.
    ...(weigh.length > 0 ? [] : refuted.map(({ rule }) => `the rule for ${rule} is wrong`)),
  ];
}

function aboutTheSystem({ system, jury, budget }: PlanExplorer, { search, seed }: CheckBounds): string[] {
  const { triggers } = system.plan(seed);
  const { crashes, restarts, cuts } = budget;
  return [
    ...when(
      system.declaration.kinds.size > 0 && crashes + restarts + cuts > 0,
      'no faults happened to processes that joined, only to those that are declared',
    ),
    ...when(
      kindOf[search] === 'reduced' && jury.remembersOrder,
      'what happened before counts for an oracle, and of independent events one order was looked at: depth tries all',
    ),
    ...when(triggers.length > 0, 'triggers are not pulled by a check'),
    ...when(
      kindOf[search] === 'stateful' && jury.remembers,
      'what happened before a world counts for an oracle, and only one way to each world was looked at',
    ),
    ...(jury.whyUnknown === undefined ? [] : [jury.whyUnknown]),
  ];
}

const when = (isSo: boolean, doubt: string): string[] => (isSo ? [doubt] : []);

const total = (plans: PlanExplorer['plans'], what: 'cut' | 'astray'): number =>
  plans.reduce((sum, { tally }) => sum + tally[what], 0);
