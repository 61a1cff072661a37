import type { Session } from 'culprit/kernel';
import { hex, toPortable } from 'culprit/trace';

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

/** The contents of processes that have started: states, disks and numbers of restarts. */
function processesOf({ world, recording }: Session) {
  const started = recording.events.since(0).filter(({ kind }) => kind === 'start' || kind === 'spawn');
  return [...new Set(started.map(({ process }) => process))].sort().map((name) => {
    const { up, state, restarts, disk } = world.process(name);
    return structuredClone({ name, up, state, restarts, disk });
  });
}

/** Whether it is declared, has joined or was spawned. */
export function isThere({ world }: Session, name: string): boolean {
  try {
    return world.process(name).name === name;
  } catch {
    return false;
  }
}
