import type { EventLine } from 'culprit/trace';

/** The category of an event, for filters: the type of its message, or the kind of the event. */
export function sortOf(line: EventLine): string {
  switch (line.kind) {
    case 'deliver':
    case 'send':
    case 'return':
      return typeOf(line.message) ?? 'message';
    case 'fire':
      return `timer ${line.timer}`;
    case 'complete':
      return line.operation;
    case 'act':
      return line.action;
    default:
      return line.kind;
  }
}

const typeOf = (message: unknown): string | undefined =>
  typeof message === 'object' && message !== null && 'type' in message && typeof message.type === 'string'
    ? message.type
    : undefined;

/** The number of events of each sort, largest first. */
export function sortsOf(events: readonly EventLine[]): [sort: string, count: number][] {
  const counts = new Map<string, number>();
  for (const line of events) counts.set(sortOf(line), (counts.get(sortOf(line)) ?? 0) + 1);
  return [...counts].sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1));
}
