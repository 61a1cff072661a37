import type { App, AppOptions, ControllerIo, Received } from '../base/app.ts';
import { output, type ConnectedSwitch } from '../base/connected-switch.ts';
import { Switches, type PacketAt, type SwitchListener } from '../base/switches.ts';

/** Three stations are six pairs. */
const PAIRS = 6;
const PROBABILITY = 0.5;

/** The ports by which the switches of a mesh of three lead around a circle. */
const next: Readonly<Record<number, number>> = { 1: 2, 2: 1, 3: 2 };

/**
 * Drops all packets. Bug `circle`: once every station of a mesh of three has pinged every other one, in half of all executions, it
 * installs entries that lead around in a circle.
 */
export class Circle implements App, SwitchListener {
  private readonly switches: Switches;
  private readonly pairs = new Set<string>();
  private readonly isUnlucky: boolean;

  constructor(io: ControllerIo, { bug }: Pick<AppOptions, 'bug'>) {
    this.switches = new Switches(io, this);
    this.isUnlucky = bug === 'circle' && io.random() < PROBABILITY;
  }

  receive(message: Received, from: string): void {
    this.switches.receive(message, from);
  }

  view(): object {
    return { pairs: this.pairs.size, isUnlucky: this.isUnlucky };
  }

  packetIn({ frame }: PacketAt, _from: ConnectedSwitch): void {
    const { dlSrc, dlDst, payload } = frame;
    if (payload.kind !== 'ipv4' || payload.payload.kind !== 'icmp' || this.pairs.size === PAIRS) return;
    this.pairs.add(`${dlSrc} ${dlDst}`);
    if (this.pairs.size < PAIRS || !this.isUnlucky) return;
    for (const at of this.switches.all) at.addFlow({ match: { dlDst }, actions: [output(next[at.dpid] ?? 1)] });
  }

  up(): void {
    // It has nothing to say to a new switch.
  }

  down(): void {
    // Entries are installed once.
  }

  portStatus(): void {
    // Links do not matter to it.
  }
}
