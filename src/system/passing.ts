import type { PassingRule } from '../kernel/declaration.ts';
import { truthOf } from '../kernel/user-code/answer.ts';
import { asked } from './asked.ts';

/**
 * The rule, which names itself if its function throws or does not answer. It is asked about a message once: a replay has the same
 * question at every event.
 */
export const askedRule = (rule: PassingRule): PassingRule<unknown> => {
  const who = `the rule ${rule.name} of passing, asked about a message,`;
  const includes = (message: unknown): boolean =>
    truthOf(
      who,
      asked(who, () => rule.includes(message as never)),
    );
  const known = new WeakMap<object, boolean>();
  const once = (message: object): boolean => {
    const answer = known.get(message) ?? includes(message);
    known.set(message, answer);
    return answer;
  };
  return {
    ...rule,
    includes: (message) => (typeof message === 'object' && message !== null ? once(message) : includes(message)),
  };
};
