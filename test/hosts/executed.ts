import { defineSystem, start } from 'culprit';
import { targetOf, resolveSystem, type AnyBehavior, type Session } from 'culprit/kernel';
import type { External } from 'culprit/trace';

/** After each external so many events happen, those that wait longest first. */
const EVENTS_MAX = 20;

/** Starts these processes, then lets the externals happen one after the other; everything that follows from one happens before the next. */
export async function executed(
  processes: Readonly<Record<string, AnyBehavior>>,
  externals: readonly External[] = [],
  seed = 0,
): Promise<Session> {
  const session = targetOf(resolveSystem(defineSystem({ processes }))).open(seed);
  for (const external of [...Object.keys(processes).map((name) => start(name)), ...externals]) {
    await session.perform(external);
    for (let events = 0; events < EVENTS_MAX && session.enabled[0] !== undefined; events++)
      await session.perform(session.enabled[0]);
  }
  return session;
}

/** The state of a process at the end of such an execution. */
export const stateOf = async (...given: Parameters<typeof executed>): Promise<unknown> => {
  const { world } = await executed(...given);
  return world.process(Object.keys(given[0])[0] as string).state;
};

/** The internal events of an execution, by what happened. */
export const happenings = ({ recording }: Session): string[] =>
  recording.events.since(0).flatMap((event) => {
    if (event.kind === 'fire') return [`${event.process} ${event.timer}`];
    if (event.kind === 'complete') return [`${event.process} ${event.operation}`];
    return event.kind === 'deliver' ? [`${event.process} gets from ${event.from}`] : [];
  });
