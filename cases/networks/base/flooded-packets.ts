import type { ControllerIo } from './app.ts';
import { isAt } from './discovery.ts';
import type { Place } from './lldp.ts';

/** For so long, a packet that arrives elsewhere counts as a copy. */
const HOLD_MS = 5_000;

/** The packets that a controller has flooded, and where they came from. */
export class FloodedPackets {
  private readonly last = new Map<string, { readonly place: Place; readonly ms: number }>();

  constructor(private readonly io: Pick<ControllerIo, 'now'>) {}

  /** Whether the packet was flooded a moment ago, and comes from another place than then. */
  isCopy(data: string, place: Place): boolean {
    const before = this.last.get(data);
    return before !== undefined && !isAt(before.place, place) && this.io.now() - before.ms < HOLD_MS;
  }

  add(data: string, place: Place): void {
    this.last.set(data, { place, ms: this.io.now() });
  }
}
