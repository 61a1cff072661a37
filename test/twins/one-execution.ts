import type { System } from 'culprit';
import { drive, execution, resolveSystem, strategyCalled, targetOf } from 'culprit/kernel';
import type { Event } from 'culprit/trace';

/** The events of the execution of a seed. No verdict ends it. */
export async function eventsOf(system: System, seed: number, eventsMax = 2000): Promise<Event[]> {
  const resolved = resolveSystem(system);
  const session = targetOf(resolved).open(seed);
  const { pace } = resolved;
  const plan = resolved.plan(seed);
  const strategy = strategyCalled('random')({ seed, plan, steps: 500, ...(pace === undefined ? {} : { pace }) });
  const oracle = { judge: () => ({ kind: 'holds' }) as const };
  await drive(execution(session, { strategy, oracle, eventsMax }));
  await session.close();
  return session.recording.events.since(0);
}
