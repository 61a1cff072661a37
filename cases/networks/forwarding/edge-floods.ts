import type { ControllerIo } from '../base/app.ts';
import { isDown, output } from '../base/connected-switch.ts';
import { isAt, type Discovery } from '../base/discovery.ts';
import { FloodedPackets } from '../base/flooded-packets.ts';
import type { Place } from '../base/lldp.ts';
import type { PacketAt, Switches } from '../base/switches.ts';

/** Sends packets to all ports of the network without a known link. Copies that come back are dropped. */
export class EdgeFloods {
  private readonly flooded: FloodedPackets;

  constructor(
    io: Pick<ControllerIo, 'now'>,
    private readonly switches: Pick<Switches, 'all'>,
    private readonly discovery: Pick<Discovery, 'isLinkAt'>,
  ) {
    this.flooded = new FloodedPackets(io);
  }

  flood({ data }: PacketAt, place: Place): void {
    if (this.flooded.isCopy(data, place)) return;
    this.flooded.add(data, place);
    for (const at of this.switches.all) {
      const ports = [...at.ports.values()].flatMap((port) => {
        const one = { dpid: at.dpid, port: port.portNo as number };
        return isDown(port) || isAt(one, place) || this.discovery.isLinkAt(one) ? [] : [output(one.port)];
      });
      if (ports.length > 0) at.sendPacket({ bufferId: 'none', inPort: 'none', data }, ports);
    }
  }
}
