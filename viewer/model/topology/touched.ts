import { ENVIRONMENT, type EventLine, type Topology, type Trace } from 'culprit/trace';
import { moveIn } from './station-places.ts';

/** The nodes that an execution touches, each set in the order of the first event. */
export interface Touched {
  /** Nodes that the verdict names, that exchange messages with each other, or that faults happen to. */
  readonly closely: ReadonlySet<string>;
  /** These, and nodes that only talk to controllers or to themselves. A start alone touches no node. */
  readonly atAll: ReadonlySet<string>;
  /** Stations that move. */
  readonly stations: ReadonlySet<string>;
}

export function touchedIn({ nodes }: Topology, { events, verdict }: Pick<Trace, 'events' | 'verdict'>): Touched {
  const known = new Set(nodes);
  const [closely, atAll, stations] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const add = (to: Set<string>, names: readonly string[]): void => {
    for (const name of names) if (known.has(name)) to.add(name);
  };
  if (verdict.verdict === 'violated') add(closely, verdict.processes);
  for (const line of events) {
    if (line.kind === 'start' || line.kind === 'spawn') continue;
    const others = othersIn(line);
    const move = moveIn(line);
    if (move !== undefined) stations.add(move.station);
    const isOfGraph = (name: string): boolean => known.has(name) || name === ENVIRONMENT;
    const isClose = isFault(line) || (isOfGraph(line.process) && others.some(isOfGraph));
    add(isClose ? closely : atAll, [line.process, ...others]);
  }
  add(atAll, [...closely]);
  return { closely, atAll, stations };
}

const isFault = ({ kind }: EventLine): boolean =>
  kind === 'crash' ||
  kind === 'restart' ||
  kind === 'pause' ||
  kind === 'resume' ||
  kind === 'stop' ||
  kind === 'cut' ||
  kind === 'heal';

/** The processes at the other ends of the links that an event is about. */
function othersIn(line: EventLine): string[] {
  const lost = (line.dropped ?? []).map(({ to }) => to);
  switch (line.kind) {
    case 'deliver':
      return [line.from, ...lost];
    case 'return':
    case 'send':
      return [line.to, ...lost];
    case 'cut':
    case 'heal':
      return [...line.links.flatMap(([from, to]) => [from, to]), ...lost];
    default:
      return lost;
  }
}
