import { externalOf, isInternal, type Event } from '../trace/event.ts';
import type { Session } from '../kernel/ports.ts';

/** The number of events between two kept sessions. */
const STRIDE = 32;

/**
 * Keeps sessions along one execution, so that a candidate with the same prefix need not execute the prefix again. If a
 * world cannot be copied, the candidate begins at the start.
 */
export class Checkpoints {
  private readonly kept: Map<number, Session>;

  constructor(
    open: () => Session,
    private readonly events: readonly Event[],
  ) {
    this.kept = new Map([[0, open()]]);
  }

  /** A session of its own for the caller, after the first `count` events; undefined if no copy can be made. */
  upTo(count: number): Session | undefined {
    const nearest = Math.max(...[...this.kept.keys()].filter((at) => at <= count));
    const session = this.kept.get(nearest)?.fork?.();
    if (session === undefined) return undefined;
    for (let at = nearest; at < count; at = session.world.length) {
      if (!perform(session, this.events[at] as Event)) return undefined;
      if (session.world.length % STRIDE === 0 || session.world.length === count) this.keep(session);
    }
    return session;
  }

  private keep(session: Session): void {
    const copy = session.fork?.();
    if (copy !== undefined) this.kept.set(session.world.length, copy);
  }
}

/** An event of an earlier execution cannot happen again: the system is not deterministic. */
export class NotRepeated extends Error {
  constructor() {
    super('an execution that was just made cannot be made again');
  }
}

/** Performs exactly this event, and with an action its consequences; false if the event is asynchronous. */
export function perform(session: Session, event: Event): boolean {
  const found = isInternal(event) ? session.find(event) : externalOf(event);
  if (found === undefined) throw new NotRepeated();
  const pending = session.perform(found);
  if (pending !== undefined) void pending.catch(() => undefined);
  return pending === undefined;
}
