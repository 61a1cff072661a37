import type { Session } from '../kernel/ports.ts';

/** How many sessions are kept: the earliest choices are the first to be made otherwise. */
const KEPT_MAX = 128;

/** A session that stands before a choice. */
interface SessionBranch {
  readonly session: Session;
  /** How much of the schedule is behind it. */
  readonly at: number;
  readonly ambiguities: readonly number[];
}

/** Sessions before the choices of one candidate, so that another choice need not execute what led there. */
export class Branches {
  private readonly kept = new Map<string, SessionBranch>();

  constructor(readonly candidate: string) {}

  /** Keeps sessions of an execution that makes these choices. Before the last of them, others have kept theirs. */
  watch(choices: readonly number[]): (session: Session, at: number, ambiguities: readonly number[]) => void {
    return (session, at, ambiguities) => {
      if (ambiguities.length < choices.length || this.kept.size >= KEPT_MAX) return;
      const copy = session.fork?.();
      if (copy === undefined) return;
      this.kept.set(nameOf(choices, ambiguities.length), { session: copy, at, ambiguities: [...ambiguities] });
    };
  }

  /** As far on the way as one is known; its session is nobody else's. */
  toward(choices: readonly number[]): SessionBranch | undefined {
    for (let count = choices.length - 1; count >= 0; count--) {
      const branch = this.kept.get(nameOf(choices, count));
      const session = branch?.session.fork?.();
      if (branch !== undefined && session !== undefined) return { ...branch, session };
    }
    return undefined;
  }
}

/** Of so many choices: those that were not the closest, and where. */
function nameOf(choices: readonly number[], count: number): string {
  const made = choices.slice(0, count).flatMap((choice, at) => (choice === 0 ? [] : [`${at}:${choice}`]));
  return `${made.join(' ')} / ${count}`;
}
