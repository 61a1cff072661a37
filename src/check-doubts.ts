import type { CheckBounds, RefutedRule } from './check.ts';
import type { CheckedPlan } from './checked-plan.ts';
import type { Jury } from './jury.ts';
import { plural } from './plural.ts';
import { provisosOf } from './policies.ts';
import { kindOf } from './searches.ts';
import type { ResolvedSystem } from './targets/actors/resolve.ts';

/** What came of a check, as far as it gives reason to doubt that nothing was missed. */
export interface Checked {
  readonly system: ResolvedSystem;
  readonly bounds: CheckBounds;
  readonly plans: readonly CheckedPlan[];
  readonly jury: Jury;
  readonly refuted: readonly RefutedRule[];
}

/** Why nobody knows whether something is violated; nothing where it holds. */
export const doubtsIn = (checked: Checked): string[] => [
  ...aboutExecutions(checked),
  ...aboutRules(checked),
  ...aboutTheSystem(checked),
];

/** What has to be so for a verdict to be right. */
export function providedIn({ bounds: { search, reduce }, jury }: Checked): string[] {
  const isOneOfSeveral = kindOf[search] === 'reduced' && jury.remembers;
  return [
    ...provisosOf(reduce),
    ...(isOneOfSeveral ? ['oracles that remember were asked about one order of independent events'] : []),
  ];
}

function aboutExecutions({ bounds: { search, eventsMax, signal }, plans }: Checked): string[] {
  const cut = total(plans, 'cut');
  // Where everything is gone through, what is longer than allowed is out of bounds, and not left out.
  const isBound = kindOf[search] === 'exhaustive' || kindOf[search] === 'stateful';
  const ended = signal?.aborted === true ? 'it was interrupted' : 'the budget was spent';
  return [
    ...when(
      plans.some(({ isComplete }) => !isComplete),
      `${ended} before everything had been explored`,
    ),
    ...when(cut > 0 && !isBound, `${plural(cut, 'execution')} had not ended after ${plural(eventsMax, 'event')}`),
  ];
}

function aboutRules({ plans, refuted }: Checked): string[] {
  const pruned = new Map<string, number>();
  for (const plan of plans)
    for (const [policy, count] of plan.pruned) pruned.set(policy, (pruned.get(policy) ?? 0) + count);
  const astray = total(plans, 'astray');
  return [
    ...[...pruned].map(([policy, count]) => `${policy} left something out, ${plural(count, 'time')}`),
    ...when(astray > 0, `some rule is wrong: what had to be possible was not, ${plural(astray, 'time')}`),
    ...refuted.map(({ rule }) => `the rule for ${rule} is wrong`),
  ];
}

function aboutTheSystem({ system, bounds: { search, seed }, plans, jury }: Checked): string[] {
  const { items, triggers } = system.plan(seed);
  const isWaiting = plans.some(({ awaits }) => awaits) || items.some(({ kind }) => kind === 'wait');
  const isByFlips = search === 'flips' || search === 'mixed';
  return [
    ...when(isByFlips && isWaiting, `${search} may miss some orders where the workload or code waits for something`),
    ...when(triggers.length > 0, 'triggers are not pulled by a check'),
    ...when(
      kindOf[search] === 'stateful' && jury.remembers,
      'what happened before a world counts for an oracle, and only one way to each world was looked at',
    ),
    ...(jury.whyUnknown === undefined ? [] : [jury.whyUnknown]),
  ];
}

const when = (isSo: boolean, doubt: string): string[] => (isSo ? [doubt] : []);

const total = (plans: readonly CheckedPlan[], what: 'cut' | 'astray'): number =>
  plans.reduce((sum, plan) => sum + plan[what], 0);
