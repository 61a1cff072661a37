import type { External, Internal } from '../trace/event.ts';
import type { Reduction, Session } from '../kernel/ports.ts';
import { SystemThrew } from '../kernel/refused.ts';
import type { ReductionRules, Touches } from '../kernel/rules.ts';

/** Event independence, as FlyMC has it: two messages that look at, change and send nothing in common. */
export function touching(rule: NonNullable<ReductionRules['touches']>): Reduction {
  const touchesOf = (session: Session, step: Internal | External): Touches | undefined => {
    if (step.kind !== 'deliver' || !session.world.process(step.process).up) return undefined;
    try {
      return rule(step.message, session.world.process(step.process), step.from);
    } catch (error) {
      throw new SystemThrew(`reduce.touches, asked about a message to ${step.process},`, error);
    }
  };
  return {
    name: 'touches',
    independent(session, one, other) {
      const [a, b] = [touchesOf(session, one), touchesOf(session, other)];
      return a !== undefined && b !== undefined && areApart(a, b);
    },
  };
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
