import type { Session } from '../../kernel/ports.ts';
import { UnknownAction, UnknownKind, UnknownProcess } from '../../kernel/errors.ts';
import type { External } from '../../trace/event.ts';

/** Errors about names that the system does not have. */
const unknownNames = [UnknownProcess, UnknownKind, UnknownAction];

/**
 * Why an external of a recording cannot happen in this world; undefined if it can. One reason is a process, kind or
 * action that the system no longer has, because it was renamed or removed.
 */
export function refusalNow(session: Session, external: External): string | undefined {
  try {
    return session.refusal(external);
  } catch (error) {
    if (!(error instanceof Error) || !unknownNames.some((Unknown) => error instanceof Unknown)) throw error;
    return error.message.replace(/^environment: /, '').replace(/\.$/, '');
  }
}
