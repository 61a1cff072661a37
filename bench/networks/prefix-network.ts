import {
  applyFlowMod,
  emptyTable,
  flowMod,
  type FlowEntry,
  type Match,
  type NetworkState,
  type Port,
} from 'culprit/networks';
import type { Random } from 'culprit/kernel';
import type { RoutedNetwork } from './routed-network.ts';

/** The lengths of a hundred prefixes, about as in the tables of routers of the Internet: most are of 24 bits. */
const LENGTHS: readonly (readonly [bits: number, share: number])[] = [
  [24, 58],
  [23, 10],
  [22, 12],
  [21, 4],
  [20, 4],
  [19, 3],
  [18, 2],
  [17, 1],
  [16, 3],
  [12, 1],
  [9, 1],
  [32, 1],
];
const lengths = LENGTHS.flatMap(([bits, share]) => Array.from({ length: share }, () => bits));

/** The priorities of entries: the length of the prefix, as routers have it, or any. */
export type Precedence = 'longest prefix' | 'random priority';

/** Entries of one match, at every switch: first at the one that keeps the packets, then at its neighbors, and so on. */
export type PrefixRoute = readonly { readonly name: string; readonly entry: FlowEntry }[];

/** Prefixes that overlap, each with a switch that takes its packets out of the network. All switches have the same matches. */
export class Prefixes {
  private readonly known = new Set<number>();
  private readonly drawn: { readonly first: number; readonly bits: number }[] = [];

  constructor(
    private readonly network: RoutedNetwork,
    private readonly precedence: Precedence,
    /** The share of matches that have a prefix of the source, too. */
    private readonly withSource: number,
    private readonly random: Random,
  ) {}

  route(): PrefixRoute {
    const { network, random } = this;
    const target = random.pick(network.topology.switches).name;
    const destination = this.prefix();
    const bits = Number(destination.split('/')[1]);
    const source = random.below(1000) < this.withSource * 1000 ? { nwSrc: this.knownPrefix() } : {};
    const priority = this.precedence === 'longest prefix' ? 100 * bits : 1 + random.below(60_000);
    const match = { dlType: 0x0800, nwDst: destination, ...source };
    return [{ name: target, port: 'local' } as const, ...network.toward(target)].map(({ name, port }) => ({
      name,
      entry: entryOf(match, priority, port),
    }));
  }

  /** One that was not there yet. Half of them are part of another one. */
  private prefix(): string {
    for (;;) {
      const bits = this.random.pick(lengths);
      const within = this.random.below(2) === 0 ? this.random.pick([...this.drawn.slice(-1000), undefined]) : undefined;
      const first =
        within !== undefined && within.bits < bits
          ? within.first + this.random.below(2 ** (bits - within.bits)) * 2 ** (32 - bits)
          : this.random.below(2 ** bits) * 2 ** (32 - bits);
      const key = first * 64 + bits;
      if (this.known.has(key)) continue;
      this.known.add(key);
      this.drawn.push({ first, bits });
      return textOf(first, bits);
    }
  }

  private knownPrefix(): string {
    const { first, bits } = this.random.pick(this.drawn);
    return textOf(first, bits);
  }
}

const textOf = (first: number, bits: number): string =>
  `${[24, 16, 8, 0].map((shift) => (first >>> shift) & 0xff).join('.')}/${bits}`;

function entryOf(match: Match, priority: number, port: Port): FlowEntry {
  const table = emptyTable(1);
  applyFlowMod(table, flowMod({ match, priority, actions: [{ type: 'output', port, maxLen: 0 }] }), 0);
  return table.entries[0] as FlowEntry;
}

/** The state of a network whose tables have these routes. */
export function stateWith(network: RoutedNetwork, routes: readonly PrefixRoute[]): NetworkState {
  const entries = new Map<string, FlowEntry[]>(network.state.switches.map(({ name }) => [name, []]));
  for (const { name, entry } of routes.flat()) entries.get(name)?.push(entry);
  return { switches: network.state.switches.map((view) => ({ ...view, entries: entries.get(view.name) ?? [] })) };
}
