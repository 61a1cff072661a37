import { externalOf, isInternal, type Event } from '../trace/event.ts';
import type { Session } from '../kernel/ports.ts';

/** How many events lie between two sessions that are kept on the way to another. */
const STRIDE = 32;

/**
 * Sessions along one execution, so that a candidate that begins like it need not execute its beginning again. Where a
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

  /** A session that has as many as it can of the first `count` events behind it, and is nobody else's. */
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

/** What happened does not happen again: the system is not deterministic. */
export class NotRepeated extends Error {
  constructor() {
    super('an execution that was just made cannot be made again');
  }
}

/** Exactly this event; false where it takes a while. What an action brings about comes with it. */
export function perform(session: Session, event: Event): boolean {
  const found = isInternal(event) ? session.find(event) : externalOf(event);
  if (found === undefined) throw new NotRepeated();
  const pending = session.perform(found);
  if (pending !== undefined) void pending.catch(() => undefined);
  return pending === undefined;
}
