import { asSystem } from '../kernel/user-code/async-code.ts';
import { SystemThrew } from '../kernel/errors.ts';

/** The answer of a function of the system, which `who` names in messages. */
export function asked(who: string, question: () => unknown): unknown {
  try {
    return asSystem(question);
  } catch (error) {
    throw new SystemThrew(who, error);
  }
}
