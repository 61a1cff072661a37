import type { External, Internal } from '../../trace/event.ts';
import { badAnswer } from '../../kernel/user-code/answer.ts';
import type { Reduction, Session } from '../../kernel/ports.ts';
import { SystemThrew } from '../../kernel/errors.ts';
import type { Effect, ReductionRules } from '../../system/reduction-rules.ts';

/** Local-message independence (LMI): two messages to one process are compared by their effects on its current state. */
export function localMessages(rule: NonNullable<ReductionRules['message']>): Reduction {
  const effectOf = (session: Session, { process, message, from }: Message): Effect => {
    const who = `reduce.message, asked about a message to ${process},`;
    let answer: unknown;
    try {
      answer = rule(message, session.world.process(process), from);
    } catch (error) {
      throw new SystemThrew(who, error);
    }
    if (isEffect(answer)) return answer;
    throw badAnswer(who, answer, "Return 'discards', 'counts', 'modifies' or { sets: '…' }.");
  };
  return {
    name: 'lmi',
    independent(session, one, other) {
      if (!isMessage(one) || !isMessage(other) || !session.world.process(one.process).up) return false;
      return doCommute(effectOf(session, one), effectOf(session, other));
    },
  };
}

function isEffect(answer: unknown): answer is Effect {
  if (answer === 'discards' || answer === 'counts' || answer === 'modifies') return true;
  return typeof answer === 'object' && answer !== null && 'sets' in answer && typeof answer.sets === 'string';
}

type Message = Extract<Internal, { kind: 'deliver' }>;

const isMessage = (step: Internal | External): step is Message => step.kind === 'deliver';

function doCommute(one: Effect, other: Effect): boolean {
  if (one === 'discards' || other === 'discards') return true;
  if (one === 'counts') return other === 'counts';
  if (typeof one === 'string' || typeof other === 'string') return false;
  return one.sets === other.sets;
}
