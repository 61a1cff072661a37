import type { External, Internal } from '../../trace/event.ts';
import { badAnswer } from '../../kernel/user-code/answer.ts';
import { isPromise } from '../../kernel/handling.ts';
import type { Reduction, Session } from '../../kernel/ports.ts';
import { SystemThrew } from '../../kernel/errors.ts';
import type { ReductionRules, Touches } from '../../system/reduction-rules.ts';

/** Event independence, as in FlyMC: two messages that read, update and send nothing in common. */
export function touching(rule: NonNullable<ReductionRules['touches']>): Reduction {
  const touchesOf = (session: Session, step: Internal | External): Touches | undefined => {
    if (step.kind !== 'deliver' || !session.world.process(step.process).up) return undefined;
    const who = `reduce.touches, asked about a message to ${step.process},`;
    let answer: unknown;
    try {
      answer = rule(step.message, session.world.process(step.process), step.from);
    } catch (error) {
      throw new SystemThrew(who, error);
    }
    if (isTouches(answer)) return answer;
    throw badAnswer(who, answer, 'Return { reads, updates, sends }: lists of names, each of them optional.');
  };
  return {
    name: 'event-independence',
    independent(session, one, other) {
      const [a, b] = [touchesOf(session, one), touchesOf(session, other)];
      return a !== undefined && b !== undefined && areApart(a, b);
    },
  };
}

/** Other fields would be ignored, so they are refused. */
function isTouches(answer: unknown): answer is Touches {
  if (typeof answer !== 'object' || answer === null || isPromise(answer) || Array.isArray(answer)) return false;
  return Object.entries(answer).every(
    ([field, names]) =>
      ['reads', 'updates', 'sends'].includes(field) &&
      (names === undefined || (Array.isArray(names) && names.every((name) => typeof name === 'string'))),
  );
}

function areApart(one: Touches, other: Touches): boolean {
  return !(
    meet(one.updates, other.updates) ||
    meet(one.updates, other.reads) ||
    meet(one.reads, other.updates) ||
    meet(one.sends, other.sends)
  );
}

const meet = (some: readonly string[] = [], others: readonly string[] = []): boolean =>
  some.some((name) => others.includes(name));
