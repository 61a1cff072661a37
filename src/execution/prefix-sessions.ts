import { externalOf, isInternal, type Event } from '../trace/event.ts';
import type { Session } from '../kernel/ports.ts';

/** The least number of events between two kept sessions. */
const STRIDE = 32;

/** So many sessions are kept along an execution at equal distances, and so many in all: each may hold a large world. */
const ALONG_MAX = 64;
const KEPT_MAX = 128;

/**
 * Keeps sessions along one execution, so that a candidate with the same prefix need not execute the prefix again. If a
 * world cannot be copied, the candidate begins at the start.
 */
export class Checkpoints {
  /** By the number of their events, in the order in which they were kept. */
  private readonly kept: Map<number, Session>;
  private readonly stride: number;

  constructor(
    open: () => Session,
    private readonly events: readonly Event[],
  ) {
    this.kept = new Map([[0, open()]]);
    this.stride = Math.max(STRIDE, Math.ceil(events.length / ALONG_MAX));
  }

  /** A session of its own for the caller, after the first `count` events; undefined if no copy can be made. */
  upTo(count: number): Session | undefined {
    const nearest = Math.max(...[...this.kept.keys()].filter((at) => at <= count));
    const session = this.kept.get(nearest)?.fork?.();
    if (session === undefined) return undefined;
    for (let at = nearest; at < count; at = session.world.length) {
      if (!perform(session, this.events[at] as Event)) return undefined;
      if (session.world.length % this.stride === 0 || session.world.length === count) this.keep(session);
    }
    return session;
  }

  private keep(session: Session): void {
    const copy = session.fork?.();
    if (copy === undefined) return;
    this.kept.set(session.world.length, copy);
    const oldest = [...this.kept.keys()].find((at) => at > 0);
    if (this.kept.size > KEPT_MAX && oldest !== undefined) this.kept.delete(oldest);
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
