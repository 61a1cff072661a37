import { sameDigest } from '../../trace/digest.ts';
import { isInternal, type External, type Internal } from '../../trace/event.ts';
import type { Reduction, Session } from '../../kernel/ports.ts';

type EitherStep = Internal | External;

/** The worlds after two events, in both orders; undefined if they cannot both happen now, or code awaits something. */
export function bothOrders(
  session: Session,
  one: EitherStep,
  other: EitherStep,
): readonly [Session, Session] | undefined {
  const first = inOrder(session, one, other);
  const second = first && inOrder(session, other, one);
  return first && second && [first, second];
}

function inOrder(session: Session, ...steps: readonly EitherStep[]): Session | undefined {
  const fork = session.fork?.();
  if (fork === undefined) return undefined;
  for (const step of steps) {
    const isPossible = isInternal(step) ? fork.find(step) !== undefined : fork.refusal(step) === undefined;
    if (!isPossible) return undefined;
    const pending = fork.perform(step);
    if (pending === undefined) continue;
    void pending.catch(() => undefined);
    return undefined;
  }
  return fork;
}

/** Whether both orders lead to the same world. Ordered: also for handlers that depend on the order of keys. */
export const areSame = ([one, other]: readonly [Session, Session], isOrdered = false): boolean =>
  sameDigest(one.worldDigest(undefined, isOrdered), other.worldDigest(undefined, isOrdered));

/** Independence without rules: both orders are executed, and lead to the same world with the same messages. */
export const automatic: Reduction = {
  name: 'automatic',
  independent(session, one, other) {
    const outcomes = bothOrders(session, one, other);
    return outcomes !== undefined && areSame(outcomes, true);
  },
};
