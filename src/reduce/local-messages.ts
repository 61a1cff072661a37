import type { External, Internal } from '../trace/event.ts';
import type { Reduction, Session } from '../kernel/ports.ts';
import { SystemThrew } from '../kernel/refused.ts';
import type { Effect, ReductionRules } from '../kernel/rules.ts';

/** Local-message independence (LMI): two messages to one process, by what each would do to it now. */
export function localMessages(rule: NonNullable<ReductionRules['message']>): Reduction {
  const effectOf = (session: Session, { process, message, from }: Message): Effect => {
    try {
      return rule(message, session.world.process(process), from);
    } catch (error) {
      throw new SystemThrew(`reduce.message, asked about a message to ${process},`, error);
    }
  };
  return {
    name: 'messages',
    independent(session, one, other) {
      if (!isMessage(one) || !isMessage(other) || !session.world.process(one.process).up) return false;
      return doCommute(effectOf(session, one), effectOf(session, other));
    },
  };
}

type Message = Extract<Internal, { kind: 'deliver' }>;

const isMessage = (step: Internal | External): step is Message => step.kind === 'deliver';

function doCommute(one: Effect, other: Effect): boolean {
  if (one === 'discards' || other === 'discards') return true;
  if (one === 'counts') return other === 'counts';
  if (typeof one === 'string' || typeof other === 'string') return false;
  return one.sets === other.sets;
}
