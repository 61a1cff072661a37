import type { Session } from '../kernel/ports.ts';

/**
 * The maximum number of sessions. Earlier sessions are more useful, because alternatives change early choices first.
 */
const KEPT_MAX = 128;

/** A session just before a choice. */
interface SessionBranch {
  readonly session: Session;
  /** The number of events of the schedule that are behind it. */
  readonly at: number;
  readonly ambiguities: readonly number[];
}

/** Sessions before the choices of one candidate, so that an alternative need not execute the common beginning again. */
export class Branches {
  private readonly kept = new Map<string, SessionBranch>();

  constructor(readonly candidate: string) {}

  /**
   * Keeps the sessions of an execution that makes these choices. Sessions before the last given choice have been kept
   * by earlier executions.
   */
  watch(choices: readonly number[]): (session: Session, at: number, ambiguities: readonly number[]) => void {
    return (session, at, ambiguities) => {
      if (ambiguities.length < choices.length || this.kept.size >= KEPT_MAX) return;
      const copy = session.fork?.();
      if (copy === undefined) return;
      this.kept.set(nameOf(choices, ambiguities.length), { session: copy, at, ambiguities: [...ambiguities] });
    };
  }

  /** A copy of the last known session on the way to these choices. */
  toward(choices: readonly number[]): SessionBranch | undefined {
    for (let count = choices.length - 1; count >= 0; count--) {
      const branch = this.kept.get(nameOf(choices, count));
      const session = branch?.session.fork?.();
      if (branch !== undefined && session !== undefined) return { ...branch, session };
    }
    return undefined;
  }
}

/** The key of the first choices: those that are not the closest match, with their index. */
function nameOf(choices: readonly number[], count: number): string {
  const made = choices.slice(0, count).flatMap((choice, at) => (choice === 0 ? [] : [`${at}:${choice}`]));
  return `${made.join(' ')} / ${count}`;
}
