import type { Event, Internal } from '../../trace/event.ts';
import type { Session } from '../../kernel/ports.ts';
import { perform } from '../../execution/prefix-sessions.ts';
import type { StatePaths } from '../state-paths.ts';

/** An event that did not happen there, but leads to a world similar to a later one. */
export interface Shortcut {
  /** The number of events before it. */
  readonly from: number;
  readonly event: Internal;
  /** The number of events after which the world is similar. */
  readonly to: number;
  readonly gain: number;
}

/** The maximum number of results. */
const KEPT = 200;

/**
 * Tries every other enabled event in every world of an execution. Sorted by the ratio of saved events to difference,
 * the best first. Empty if worlds cannot be copied.
 */
export function findShortcuts(session: Session, events: readonly Event[], paths: StatePaths): Shortcut[] {
  const found: Shortcut[] = [];
  while (session.world.length < events.length) {
    const from = session.world.length;
    for (const event of session.enabled) found.push(...bestShortcut(session.fork?.(), event, from, paths));
    if (!perform(session, events[from] as Event)) return [];
  }
  return found.sort((one, other) => other.gain - one.gain).slice(0, KEPT);
}

function bestShortcut(fork: Session | undefined, event: Internal, from: number, paths: StatePaths): Shortcut[] {
  if (fork === undefined) return [];
  const pending = fork.perform(event);
  // The effect of a suspended handler is not visible immediately.
  if (pending !== undefined) void pending.catch(() => undefined);
  if (pending !== undefined || fork.world.failure !== undefined) return [];
  const state = fork.world.up().find(({ name }) => name === event.process)?.state;
  const there = paths.changed(from, event.process, state);
  let best: Shortcut | undefined;
  // One event replaces at least two.
  for (let to = from + 2; to < paths.length; to++) {
    const gain = (to - from - 1) / (1 + paths.distanceFrom(there, to));
    if (best === undefined || gain > best.gain) best = { from, event, to, gain };
  }
  return best === undefined ? [] : [best];
}
