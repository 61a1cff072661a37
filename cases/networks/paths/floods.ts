import type { ControllerIo } from '../base/app.ts';
import { output, type ConnectedSwitch } from '../base/connected-switch.ts';
import type { PacketAt } from '../base/switches.ts';

/** For so long, copies of a packet that arrive by another port of the same switch are not flooded again. */
const HOLD_MS = 5_000;

/** Sends packets to all ports of a switch. A copy that comes back around a circle of switches is dropped. */
export class Floods {
  /** The port and time of the last flood, by switch and packet. */
  private readonly last = new Map<string, { readonly port: number; readonly ms: number }>();

  constructor(private readonly io: Pick<ControllerIo, 'now'>) {}

  flood(packet: PacketAt, at: ConnectedSwitch): void {
    const nowMs = this.io.now();
    const key = `${at.dpid} ${packet.data}`;
    const before = this.last.get(key);
    if (before !== undefined && before.port !== packet.inPort && nowMs - before.ms < HOLD_MS) return;
    for (const [old, { ms }] of this.last) if (nowMs - ms >= HOLD_MS) this.last.delete(old);
    this.last.set(key, { port: packet.inPort, ms: nowMs });
    at.sendPacket(packet, [output('flood')]);
  }
}
