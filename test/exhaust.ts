import { targetOf, resolveSystem } from 'culprit/kernel';
import type { System } from 'culprit';
import { ReplayStrategy } from 'culprit/kernel';
import { drive, execution, type Session } from 'culprit/kernel';
import type { Event } from 'culprit/trace';

const holds = { judge: () => ({ kind: 'holds' }) as const };

/**
 * Every order in which the enabled events can happen, executing each from the start: slow and obvious. Calls `visit` at
 * the end of each and returns their number.
 */
export async function exhaust(system: System, visit: (session: Session) => void): Promise<number> {
  const resolved = resolveSystem(system);
  const target = targetOf(resolved);
  let executions = 0;
  const explore = async (prefix: readonly Event[]): Promise<void> => {
    const session = target.open(1);
    await drive(
      execution(session, { strategy: new ReplayStrategy(prefix), oracle: holds, eventsMax: Number.POSITIVE_INFINITY }),
    );
    for (const item of resolved.plan(1).items.slice(prefix.length))
      if (item.kind !== 'until') await session.perform(item);
    const before = session.recording.events.since(0);
    if (session.enabled.length === 0) {
      executions += 1;
      visit(session);
    }
    for (const event of session.enabled) await explore([...before, event]);
  };
  await explore([]);
  return executions;
}
