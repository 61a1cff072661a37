import type { Event } from '../../trace/event.ts';
import { dropping } from './dropping.ts';
import type { Group } from './groups.ts';
import type { Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';

/**
 * Drops timers with their consequences: each firing with all messages and operations that it caused. Such a group is
 * causally closed, so that none of its messages stays in a channel, where it would block others.
 */
export const cascades = (likeness: Likeness): Pass => dropping(cascadesOf, likeness);

export function cascadesOf(events: readonly Event[]): Group[] {
  const roots: number[] = [];
  const groups = new Map<number, number[]>();
  for (const [at, { kind, cause }] of events.entries()) {
    const root = kind === 'fire' || cause < 0 ? at : (roots[cause] as number);
    roots.push(root);
    const group = groups.get(root);
    if (group !== undefined) group.push(at);
    else if (kind === 'fire') groups.set(root, [at]);
  }
  return [...groups.values()];
}
