import type { Frame } from 'culprit/networks';
import type { ConnectedSwitch } from '../base/connected-switch.ts';

const IPV4 = 0x0800;
/** Above the entries of paths, which have the default priority, 32768. */
const ABOVE_PATHS = 40_000;
/** Bug `overlap`: below them. */
const BELOW_PATHS = 123;

/** Protects servers that ask for it, by an IPv4 packet of any kind: their switch drops packets to them. */
export class Protection {
  /** The switches of protected servers, by MAC address. */
  private readonly places = new Map<string, number>();

  constructor(
    /** MAC addresses. */
    private readonly servers: readonly string[],
    private readonly hasBug: boolean,
  ) {}

  /** A server may ask by this packet for its protection at this switch. */
  hear({ dlSrc, dlType }: Frame, at: ConnectedSwitch): void {
    if (dlType !== IPV4 || !this.servers.includes(dlSrc) || this.places.has(dlSrc)) return;
    this.places.set(dlSrc, at.dpid);
    this.install(dlSrc, at);
  }

  /** Installs the entries of this switch again. */
  restore(at: ConnectedSwitch): void {
    for (const [server, dpid] of this.places) if (dpid === at.dpid) this.install(server, at);
  }

  private install(dlDst: string, at: ConnectedSwitch): void {
    const priority = this.hasBug ? BELOW_PATHS : ABOVE_PATHS;
    at.addFlow({ match: { dlDst, dlType: IPV4 }, actions: [], priority });
  }
}
