import type { External, Internal } from '../../trace/event.ts';
import { badAnswer } from '../../kernel/user-code/answer.ts';
import type { Reduction, Session } from '../../kernel/ports.ts';
import { SystemThrew } from '../../kernel/errors.ts';
import type { ReductionRules } from '../../system/reduction-rules.ts';

/**
 * Crash-message independence (CMI): a crash is independent of an event of a survivor if the crash makes the survivor
 * change at most its own state. Useful only if crashes count as dependent on everything: our footprints are more
 * precise.
 */
export const crashMessages = (rule: NonNullable<ReductionRules['crash']>): Reduction => ({
  name: 'cmi',
  independent(session, one, other) {
    if (one.kind === 'crash') return isLocal(rule, session, one.process, other);
    return other.kind === 'crash' && isLocal(rule, session, other.process, one);
  },
});

function isLocal(
  rule: NonNullable<ReductionRules['crash']>,
  { world }: Session,
  crashing: string,
  step: Internal | External,
): boolean {
  if (!('process' in step) || step.process === crashing) return false;
  const [survivor, victim] = [world.process(step.process), world.process(crashing)];
  if (!survivor.up || !victim.up) return false;
  const who = `reduce.crash, asked about ${step.process} and a crash of ${crashing},`;
  let answer: unknown;
  try {
    answer = rule(survivor, victim);
  } catch (error) {
    throw new SystemThrew(who, error);
  }
  if (answer !== 'local' && answer !== 'global') throw badAnswer(who, answer, "Return 'local' or 'global'.");
  return answer === 'local';
}
