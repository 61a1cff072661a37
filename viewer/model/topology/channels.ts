import type { EventLine } from 'culprit/trace';

/** A controller and a node that exchange messages. */
export interface Channel {
  readonly controller: string;
  readonly node: string;
}

/** Every pair of a controller and a drawn node with a message between them, or a cut. */
export function channelsIn(
  events: readonly EventLine[],
  nodes: ReadonlySet<string>,
  controllers: ReadonlySet<string>,
): Channel[] {
  const found = new Map<string, Set<string>>([...controllers].map((name) => [name, new Set()]));
  const add = (one: string, other: string): void => {
    if (nodes.has(other)) found.get(one)?.add(other);
    if (nodes.has(one)) found.get(other)?.add(one);
  };
  for (const line of events) {
    if (line.kind === 'deliver') add(line.from, line.process);
    if (line.kind === 'cut' || line.kind === 'heal') for (const [from, to] of line.links) add(from, to);
    for (const { to } of line.dropped ?? []) add(line.process, to);
  }
  return [...found].flatMap(([controller, ends]) => [...ends].map((node) => ({ controller, node })));
}
