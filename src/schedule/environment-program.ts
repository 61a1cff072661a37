import type { External } from '../trace/event.ts';
import type { Session } from '../kernel/ports.ts';
import { isMet, type PlanItem, type Wait } from '../system/workload.ts';

/** One sequence of externals that the environment goes through, at its own pace: the workload, or the faults of a process. */
export interface EnvironmentProgram {
  readonly name: string;
  readonly items: readonly PlanItem[];
  /** Whether it passes over what cannot happen, as a workload does; otherwise it waits for that. */
  readonly passesOver?: boolean;
}

/** How far a thread has come: its next item, and how many events there had been when it did the last one. */
export interface ProgramProgress {
  readonly at: number;
  readonly since: number;
}

/** What a thread would do next in this world; `isGuarded` where it waited for something that only the whole world tells. */
export interface NextOfThread {
  readonly external: External;
  /** The thread's next item after it. */
  readonly after: number;
  readonly isGuarded: boolean;
}

export function nextOf(
  thread: EnvironmentProgram,
  { at, since }: ProgramProgress,
  session: Session,
): NextOfThread | undefined {
  const { name, items, passesOver = false } = thread;
  let isGuarded = false;
  for (let next = at; next < items.length; next++) {
    const item = items[next] as PlanItem;
    if (item.kind === 'wait') {
      if (!isOver(item, since, session, name)) return undefined;
    } else if (session.refusal(item) === undefined) return { external: item, after: next + 1, isGuarded };
    else if (!passesOver) return undefined;
    isGuarded = true;
  }
  return undefined;
}

/** Whether a thread has something left to do and only waits: in another order of events it might not. */
export function isHeldBack(
  { items, name, passesOver = false }: EnvironmentProgram,
  { at, since }: ProgramProgress,
  session: Session,
): boolean {
  for (let next = at; next < items.length; next++) {
    const item = items[next] as PlanItem;
    if (item.kind === 'wait') {
      if (!isOver(item, since, session, name)) return true;
    } else if (!passesOver || session.refusal(item) === undefined) return false;
  }
  return false;
}

/**
 * Equal where a thread will do the same in worlds that are the same: what it does next, and, where it waits for deliveries,
 * how many of them there have been.
 */
export function standing({ items }: EnvironmentProgram, { at, since }: ProgramProgress, session: Session): string {
  let most = 0;
  for (let next = at; items[next]?.kind === 'wait'; next++) {
    const wait = items[next] as Wait;
    if (wait.until === 'deliveries') most = Math.max(most, wait.count);
  }
  return most === 0 ? `${at}` : `${at}:${Math.min(most, deliveriesSince(since, session))}`;
}

const deliveriesSince = (since: number, { recording }: Session): number =>
  recording.events.since(since).filter(({ kind }) => kind === 'deliver').length;

/** A wait is over only as long as what it waits for is so. */
function isOver(wait: Wait, since: number, session: Session, thread: string): boolean {
  const { enabled, world } = session;
  switch (wait.until) {
    case 'quiet':
      return enabled.every(({ kind }) => kind === 'fire');
    case 'deliveries':
      return deliveriesSince(since, session) >= wait.count;
    case 'world':
      return isMet(wait, world, () => `until(…) of the ${thread}`);
  }
}
