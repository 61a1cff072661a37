import { output } from '../base/connected-switch.ts';
import type { Switches } from '../base/switches.ts';

/** A switch on the way of packets: where they come in, and where they leave. */
export interface Hop {
  readonly dpid: number;
  readonly inPort: number;
  readonly port: number;
}

/** Packets between two stations. */
export interface Pair {
  readonly dlSrc: string;
  readonly dlDst: string;
}

const nameOf = ({ dlSrc, dlDst }: Pair): string => `${dlSrc} ${dlDst}`;

const isSame = (one: Hop, other: Hop): boolean =>
  one.dpid === other.dpid && one.inPort === other.inPort && one.port === other.port;

/** The routes in the network, one for each pair of stations at most: an entry at each hop, which stays until the route changes. */
export class Routes {
  private readonly routes = new Map<string, { readonly pair: Pair; readonly hops: readonly Hop[] }>();

  constructor(private readonly switches: Pick<Switches, 'of'>) {}

  get pairs(): Pair[] {
    return [...this.routes.values()].map(({ pair }) => pair);
  }

  /** Gives a pair this route, instead of the one that it has; no hops, if there is no way. Entries are added from the far end on. */
  set(pair: Pair, hops: readonly Hop[]): void {
    const before = this.routes.get(nameOf(pair))?.hops ?? [];
    for (const hop of before) if (!hops.some((one) => isSame(one, hop))) this.delete(pair, hop);
    for (const hop of hops.toReversed()) if (!before.some((one) => isSame(one, hop))) this.add(pair, hop);
    this.routes.set(nameOf(pair), { pair, hops });
  }

  /** The switch has no entries any more. */
  emptied(dpid: number): void {
    for (const [name, { pair, hops }] of this.routes)
      this.routes.set(name, { pair, hops: hops.filter((hop) => hop.dpid !== dpid) });
  }

  private add({ dlSrc, dlDst }: Pair, { dpid, inPort, port }: Hop): void {
    this.switches.of(dpid)?.addFlow({ match: { inPort, dlSrc, dlDst }, actions: [output(port)] });
  }

  private delete({ dlSrc, dlDst }: Pair, { dpid, inPort }: Hop): void {
    this.switches.of(dpid)?.deleteFlows({ match: { inPort, dlSrc, dlDst } });
  }
}
