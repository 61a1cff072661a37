import type { External } from '../trace/event.ts';
import type { Session } from '../kernel/ports.ts';
import { isMet, type PlanItem, type Wait } from '../system/workload.ts';

/** A sequence of externals that the environment performs at its own pace: the workload, or the faults of a process. */
export interface EnvironmentProgram {
  readonly name: string;
  readonly items: readonly PlanItem[];
  /** Whether it skips an external that cannot happen, as a workload does; otherwise it waits until the external can happen. */
  readonly passesOver?: boolean;
}

/** The progress of a thread: its next item, and the number of events after its last one. */
export interface ProgramProgress {
  readonly at: number;
  readonly since: number;
}

/** The next external of a thread in this world; `isGuarded` if it waited for a condition on the whole world. */
export interface NextOfThread {
  readonly external: External;
  /** The index of the item after this external. */
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
    if (item.kind === 'until') {
      if (!isOver(item, since, session, name)) return undefined;
    } else if (session.refusal(item) === undefined) return { external: item, after: next + 1, isGuarded };
    else if (!passesOver) return undefined;
    isGuarded = true;
  }
  return undefined;
}

/** Whether a thread has items left and only waits: in another order of events it might not. */
export function isHeldBack(
  { items, name, passesOver = false }: EnvironmentProgram,
  { at, since }: ProgramProgress,
  session: Session,
): boolean {
  for (let next = at; next < items.length; next++) {
    const item = items[next] as PlanItem;
    if (item.kind === 'until') {
      if (!isOver(item, since, session, name)) return true;
    } else if (!passesOver || session.refusal(item) === undefined) return false;
  }
  return false;
}

/**
 * Equal if a thread has the same future in equal worlds: the next item, and the number of deliveries so far if the item
 * waits for deliveries.
 */
export function standing({ items }: EnvironmentProgram, { at, since }: ProgramProgress, session: Session): string {
  let most = 0;
  for (let next = at; items[next]?.kind === 'until'; next++) {
    const wait = items[next] as Wait;
    if (wait.awaits === 'deliveries') most = Math.max(most, wait.count);
  }
  return most === 0 ? `${at}` : `${at}:${Math.min(most, deliveriesSince(since, session))}`;
}

const deliveriesSince = (since: number, { recording }: Session): number =>
  recording.events.since(since).filter(({ kind }) => kind === 'deliver').length;

/** A wait is over only while its condition is true. */
function isOver(wait: Wait, since: number, session: Session, thread: string): boolean {
  const { enabled, world } = session;
  switch (wait.awaits) {
    case 'quiet':
      return enabled.every(({ kind }) => kind === 'fire');
    case 'deliveries':
      return deliveriesSince(since, session) >= wait.count;
    case 'world':
      return isMet(wait, world, () => `until(…) of the ${thread}`);
    case 'round':
      return true;
  }
}
