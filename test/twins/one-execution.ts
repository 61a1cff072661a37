import type { System } from 'culprit';
import { drive, execution, resolveSystem, strategyCalled, targetOf } from 'culprit/kernel';
import type { Event } from 'culprit/trace';

/** The events of the execution of a seed. No verdict ends it. */
export async function eventsOf(system: System, seed: number, eventsMax = 2000): Promise<Event[]> {
  const resolved = resolveSystem(system);
  const session = targetOf(resolved).open(seed);
  const { pace, weights } = resolved;
  const options = { seed, plan: resolved.plan(seed), weights, steps: 500 };
  const strategy = strategyCalled('random')({ ...options, ...(pace === undefined ? {} : { pace }) });
  const oracle = { judge: () => ({ kind: 'holds' }) as const };
  await drive(execution(session, { strategy, oracle, eventsMax }));
  await session.close();
  return session.recording.events.since(0);
}
