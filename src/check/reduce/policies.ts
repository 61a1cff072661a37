import type { Reduction } from '../../kernel/ports.ts';
import type { ReductionRules } from '../../system/reduction-rules.ts';
import { BadOption } from '../../kernel/options/options.ts';
import { crashMessages } from './cmi.ts';
import { automatic } from './both-orders.ts';
import { recoveries, rejoins } from './crs-and-rss.ts';
import { localMessages } from './lmi.ts';
import { touching } from './event-independence.ts';

/** The names of all policies. */
export const policyNames = ['automatic', 'lmi', 'event-independence', 'cmi', 'symmetry', 'crs', 'rss'] as const;
/** The name of a policy by which a check leaves orders out. */
export type Policy = (typeof policyNames)[number];

/** Policies that depend on other executions. They make the verdict uncertain. */
const heuristics: readonly Policy[] = ['crs', 'rss'];

/** The assumptions of a verdict with these policies. Heuristics make it unknown anyhow. */
export const provisosOf = (policies: readonly Policy[]): string[] =>
  policies
    .filter((policy) => !heuristics.includes(policy))
    .map((policy) =>
      policy === 'symmetry'
        ? 'symmetry: the processes of a group are interchangeable'
        : `${policy}: events that are independent in one state are independent in every relevant state`,
    );

const ruleOf = {
  lmi: 'message',
  'event-independence': 'touches',
  cmi: 'crash',
  symmetry: 'symmetric',
  crs: 'recovery',
  rss: 'rejoin',
} as const satisfies Partial<Record<Policy, keyof ReductionRules>>;

/** The policies about events, made from the rules of a system. */
export const reductionsOf = (policies: readonly Policy[], rules: ReductionRules): Reduction[] =>
  policies.filter((policy) => policy !== 'symmetry').map((policy) => reductionOf(policy, rules));

/** The groups of interchangeable processes, if the policy is used. */
export const symmetryOf = (policies: readonly Policy[], rules: ReductionRules): readonly (readonly string[])[] =>
  policies.includes('symmetry') ? given('symmetry', rules.symmetric) : [];

function reductionOf(policy: Exclude<Policy, 'symmetry'>, rules: ReductionRules): Reduction {
  switch (policy) {
    case 'automatic':
      return automatic;
    case 'lmi':
      return localMessages(given(policy, rules.message));
    case 'event-independence':
      return touching(given(policy, rules.touches));
    case 'cmi':
      return crashMessages(given(policy, rules.crash));
    case 'crs':
      return recoveries(given(policy, rules.recovery));
    case 'rss':
      return rejoins(given(policy, rules.rejoin));
  }
}

function given<T>(policy: Exclude<Policy, 'automatic'>, rule: T | undefined): T {
  if (rule !== undefined) return rule;
  throw new BadOption(
    `the system has no rule for ${policy}.`,
    `Give it \`reduce: { ${ruleOf[policy]}: … }\`, or omit ${policy}.`,
  );
}
