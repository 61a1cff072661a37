import type { Event, Internal } from '../../trace/event.ts';
import type { Session } from '../../kernel/ports.ts';
import { perform } from '../../execution/prefix-sessions.ts';
import type { StatePaths } from '../state-paths.ts';

/** An event that did not happen there, after which the world looks much like one that came later. */
export interface Detour {
  /** How many events come before it. */
  readonly from: number;
  readonly event: Internal;
  /** How many events had happened where it looks alike. */
  readonly to: number;
  readonly gain: number;
}

/** How many are worth keeping. */
const KEPT = 200;

/**
 * What could have happened instead, one event away from every world that an execution went through; that which saves most
 * for the least difference comes first. Nothing where worlds cannot be copied.
 */
export function detoursFrom(session: Session, events: readonly Event[], paths: StatePaths): Detour[] {
  const found: Detour[] = [];
  while (session.world.length < events.length) {
    const from = session.world.length;
    for (const event of session.enabled) found.push(...detour(session.fork?.(), event, from, paths));
    if (!perform(session, events[from] as Event)) return [];
  }
  return found.sort((one, other) => other.gain - one.gain).slice(0, KEPT);
}

function detour(fork: Session | undefined, event: Internal, from: number, paths: StatePaths): Detour[] {
  if (fork === undefined) return [];
  const pending = fork.perform(event);
  // What a suspended handler does next cannot be seen at once.
  if (pending !== undefined) void pending.catch(() => undefined);
  if (pending !== undefined || fork.world.failure !== undefined) return [];
  const state = fork.world.up().find(({ name }) => name === event.process)?.state;
  const there = paths.changed(from, event.process, state);
  let best: Detour | undefined;
  // One event stands for two at least.
  for (let to = from + 2; to < paths.length; to++) {
    const gain = (to - from - 1) / (1 + paths.apart(there, to));
    if (best === undefined || gain > best.gain) best = { from, event, to, gain };
  }
  return best === undefined ? [] : [best];
}
