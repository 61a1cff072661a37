import type { Session } from '../../kernel/ports.ts';
import { UnknownAction, UnknownKind, UnknownProcess } from '../../kernel/errors.ts';
import type { External } from '../../trace/event.ts';

/** What names something that the system does not have. */
const unknownNames = [UnknownProcess, UnknownKind, UnknownAction];

/**
 * Why an external of a recording cannot happen in this world; undefined where it can. A process, kind or action that the system no
 * longer has is such a reason: it was renamed or removed since.
 */
export function refusalNow(session: Session, external: External): string | undefined {
  try {
    return session.refusal(external);
  } catch (error) {
    if (!(error instanceof Error) || !unknownNames.some((Unknown) => error instanceof Unknown)) throw error;
    return error.message.replace(/^environment: /, '').replace(/\.$/, '');
  }
}
