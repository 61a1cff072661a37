import type { ControllerIo } from '../base/app.ts';
import { isDown, output } from '../base/connected-switch.ts';
import { isAt, type Discovery } from '../base/discovery.ts';
import type { Place } from '../base/lldp.ts';
import type { PacketAt, Switches } from '../base/switches.ts';

/** For so long, copies of a packet that arrive elsewhere are not flooded again. */
const HOLD_MS = 5_000;

/** Sends packets to all ports of the network without a known link. */
export class EdgeFloods {
  /** The place and time of the last flood, by packet. */
  private readonly last = new Map<string, { readonly place: Place; readonly ms: number }>();

  constructor(
    private readonly io: Pick<ControllerIo, 'now'>,
    private readonly switches: Pick<Switches, 'all'>,
    private readonly discovery: Pick<Discovery, 'isLinkAt'>,
  ) {}

  flood({ data }: PacketAt, place: Place): void {
    const nowMs = this.io.now();
    const before = this.last.get(data);
    if (before !== undefined && !isAt(before.place, place) && nowMs - before.ms < HOLD_MS) return;
    this.last.set(data, { place, ms: nowMs });
    for (const at of this.switches.all) {
      const ports = [...at.ports.values()].flatMap((port) => {
        const one = { dpid: at.dpid, port: port.portNo as number };
        return isDown(port) || isAt(one, place) || this.discovery.isLinkAt(one) ? [] : [output(one.port)];
      });
      if (ports.length > 0) at.sendPacket({ bufferId: 'none', inPort: 'none', data }, ports);
    }
  }
}
