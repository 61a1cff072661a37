import type { Session } from '../kernel/ports.ts';
import { UnknownAction, UnknownKind, UnknownProcess } from '../kernel/refused.ts';
import type { External } from '../trace/event.ts';

/**
 * Why an external of a recording cannot happen in this world; undefined where it can. A process, kind or action that the system no
 * longer has is such a reason: it was renamed or removed since.
 */
export function refusalNow(session: Session, external: External): string | undefined {
  try {
    return session.refusal(external);
  } catch (error) {
    if (!isGone(error, external)) throw error;
    return error.message.replace(/^environment: /, '').replace(/\.$/, '');
  }
}

/** What an action of today names is no matter of the recording. */
const isGone = (error: unknown, { kind }: External): error is Error =>
  kind === 'act' ? error instanceof UnknownAction : error instanceof UnknownProcess || error instanceof UnknownKind;
