import { ENVIRONMENT, type EventLine, type Trace } from 'culprit/trace';

/** The processes in the order of their first event; the environment is leftmost. */
export function lanesOf({ events, pending }: Pick<Trace, 'events' | 'pending'>): string[] {
  const names = new Set<string>();
  for (const line of events) {
    for (const name of named(line)) names.add(name);
  }
  for (const line of pending) names.add(line.process);
  const processes = [...names].filter((name) => name !== ENVIRONMENT);
  return names.has(ENVIRONMENT) ? [ENVIRONMENT, ...processes] : processes;
}

function named(line: EventLine): string[] {
  const lost = (line.dropped ?? []).map(({ to }) => to);
  switch (line.kind) {
    case 'deliver':
      return [line.from, line.process, ...lost];
    case 'return':
      return [line.process, line.to, ...lost];
    case 'cut':
    case 'heal':
      return [line.process, ...line.links.flatMap(([from, to]) => [from, to]), ...lost];
    default:
      return [line.process, ...lost];
  }
}
