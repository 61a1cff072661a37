import { isInternal, type Event } from '../../trace/event.ts';

/** Names of processes that may trade places, in their natural order. */
export type Peers = readonly string[];

/**
 * Peers in the order in which something first happens at them, except their start; then the idle ones, in their own
 * order.
 */
export function byAppearance(events: readonly Event[], peers: Peers): string[] {
  const first = new Map<string, number>();
  for (const [at, event] of events.entries()) {
    const name = event.kind === 'send' ? event.to : event.process;
    if (event.kind !== 'start' && !first.has(name)) first.set(name, at);
  }
  // A process that has started comes before one that has not.
  const started = new Set(events.filter((event) => !isInternal(event)).map(({ process }) => process));
  const place = (name: string): number => first.get(name) ?? (started.has(name) ? events.length : events.length + 1);
  return [...peers].sort((one, other) => place(one) - place(other));
}

/** The number of pairs of peers that appear in the wrong order. */
export function outOfOrder(events: readonly Event[], peers: Peers): number {
  const ranks = byAppearance(events, peers).map((name) => peers.indexOf(name));
  return ranks.reduce((sum, rank, at) => sum + ranks.slice(at + 1).filter((later) => later < rank).length, 0);
}
