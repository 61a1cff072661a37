import type { Session } from 'culprit/kernel';
import { hex, toPortable } from 'culprit/trace';
import { NAMES } from './random-system.ts';

/**
 * Everything that distinguishes two sessions, without the order of lists that mean sets. Plain data, not shared with
 * the session.
 */
export function worldOf(session: Session) {
  const { world, recording } = session;
  return {
    name: hex(session.name()),
    events: recording.events.length,
    notes: recording.notes.length,
    enabled: session.enabled.map(hex).sort(),
    pending: world.pending.map(hex).sort(),
    failure: world.failure?.process,
    processes: processesOf(session),
  };
}

/** The same as text: equal worlds have equal texts. */
export const worldText = (session: Session): string => JSON.stringify(toPortable(worldOf(session), 'the world'));

/** The contents of processes: states, disks and numbers of restarts. */
function processesOf({ world }: Session) {
  const there = new Set([...NAMES, 'p', 'q', 'r', ...world.up().map(({ name }) => name)]);
  return [...there].sort().flatMap((name) => {
    const view = viewOf({ world }, name);
    return view === undefined
      ? []
      : [structuredClone({ name, up: view.up, state: view.state, restarts: view.restarts, disk: view.disk })];
  });
}

/** Whether it is declared, has joined or was spawned. */
export const isThere = (session: Session, name: string): boolean => viewOf(session, name) !== undefined;

/** Undefined if it has not joined. */
function viewOf({ world }: Pick<Session, 'world'>, name: string) {
  try {
    return world.process(name);
  } catch {
    return undefined;
  }
}
