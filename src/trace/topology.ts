import * as v from 'valibot';

const port = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));
const end = v.strictObject({ process: v.string(), port: v.optional(port) });
const lane = v.pipe(v.string(), v.minLength(1));

const station = v.strictObject({
  name: v.string(),
  process: v.string(),
  port: v.optional(port),
  addresses: v.optional(v.array(v.string())),
});

export const topologySchema = v.strictObject({
  nodes: v.array(v.string()),
  links: v.array(v.strictObject({ ends: v.strictTuple([end, end]), lane: v.optional(lane) })),
  stations: v.optional(v.array(station)),
  controllers: v.optional(v.array(v.string())),
});

/** The graph in which the processes of a system sit. It has no effect on executions; the page draws it. */
export interface ProcessTopology {
  /** The processes that links join, such as switches, in the order in which they are drawn. */
  readonly nodes: readonly string[];
  /** Links between nodes, which the page draws as lines. */
  readonly links: readonly ProcessLink[];
  /** End stations that are no processes but data of a node, where they are when an execution begins. */
  readonly stations?: readonly DrawnStation[] | undefined;
  /** Processes outside the graph that exchange messages with its nodes. */
  readonly controllers?: readonly string[] | undefined;
}

/** A link between two nodes, in both directions. */
export interface ProcessLink {
  /** The two nodes, in any order. */
  readonly ends: readonly [ProcessPort, ProcessPort];
  /** The lane of its messages; missing for the default lane. */
  readonly lane?: string | undefined;
}

/** A node, and the number of the port there. */
export interface ProcessPort {
  /** The name of the node. */
  readonly process: string;
  /** The number of the port there; missing where ports have no numbers. */
  readonly port?: number | undefined;
}

/** A station at a port of a process, as the page draws it. */
export interface DrawnStation extends ProcessPort {
  /** Its label on the page, such as `h1`. */
  readonly name: string;
  /** Its addresses, such as 00:00:5e:00:53:01 and 192.0.2.1: words for people call them by its name. */
  readonly addresses?: readonly string[] | undefined;
}

/** A name that makes no sense at its place. */
export interface TopologyFlaw {
  /** Such as `links[3].ends[0].process`. */
  readonly path: string;
  readonly name: string;
  /** Completes a sentence: `s9, which is no node`. */
  readonly what: string;
}

/** The first name of a topology that contradicts the others: each is unique, and every link and station is at a node. */
export function topologyFlaw({
  nodes,
  links,
  stations = [],
  controllers = [],
}: ProcessTopology): TopologyFlaw | undefined {
  const known = new Set(nodes);
  return (
    repeatedIn(nodes, 'nodes') ??
    repeatedIn(controllers, 'controllers') ??
    repeatedIn(
      stations.map(({ name }) => name),
      'stations',
    ) ??
    first(controllers, (name, at) =>
      known.has(name) ? { path: `controllers[${at}]`, name, what: 'which is a node, too' } : undefined,
    ) ??
    first(links, (link, at) => linkFlaw(link, at, known)) ??
    first(stations, ({ process }, at) => absentNode(process, `stations[${at}].process`, known))
  );
}

function linkFlaw({ ends: [one, other] }: ProcessLink, at: number, known: ReadonlySet<string>) {
  const found =
    absentNode(one.process, `links[${at}].ends[0].process`, known) ??
    absentNode(other.process, `links[${at}].ends[1].process`, known);
  if (found !== undefined || one.process !== other.process) return found;
  return { path: `links[${at}].ends[1].process`, name: one.process, what: 'which is the other end, too' };
}

const absentNode = (name: string, path: string, known: ReadonlySet<string>): TopologyFlaw | undefined =>
  known.has(name) ? undefined : { path, name, what: 'which is no node' };

function repeatedIn(names: readonly string[], list: string): TopologyFlaw | undefined {
  const seen = new Set<string>();
  return first(names, (name, at) => {
    if (seen.has(name)) return { path: `${list}[${at}]`, name, what: 'which is listed before' };
    seen.add(name);
    return undefined;
  });
}

function first<T, R>(items: readonly T[], of: (item: T, at: number) => R | undefined): R | undefined {
  for (const [at, item] of items.entries()) {
    const found = of(item, at);
    if (found !== undefined) return found;
  }
  return undefined;
}
