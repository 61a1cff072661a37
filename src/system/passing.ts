import type { PassingRule } from '../kernel/declaration.ts';
import { truthOf } from '../kernel/user-code/answer.ts';
import { asked } from './asked.ts';

/** The rule, which names itself if its function throws or does not answer. */
export const askedRule = (rule: PassingRule): PassingRule<unknown> => {
  const who = `the rule ${rule.name} of passing, asked about a message,`;
  return {
    ...rule,
    includes: (message) =>
      truthOf(
        who,
        asked(who, () => rule.includes(message as never)),
      ),
  };
};
