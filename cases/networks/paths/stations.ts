import { isAt } from '../base/discovery.ts';
import type { Place } from '../base/lldp.ts';

/** Where stations were last seen, by MAC address. */
export class Stations {
  private readonly places = new Map<string, Place>();

  get(mac: string): Place | undefined {
    return this.places.get(mac);
  }

  learn(mac: string, place: Place): void {
    this.places.set(mac, place);
  }

  /** Forgets the stations at a port, and gives their addresses. */
  forgetAt(place: Place): string[] {
    return this.forget((one) => isAt(one, place));
  }

  forgetOf(dpid: number): string[] {
    return this.forget((one) => one.dpid === dpid);
  }

  view(): Record<string, string> {
    return Object.fromEntries([...this.places].map(([mac, { dpid, port }]) => [mac, `s${dpid}.${port}`]));
  }

  private forget(isGone: (place: Place) => boolean): string[] {
    const gone = [...this.places].filter(([, place]) => isGone(place)).map(([mac]) => mac);
    for (const mac of gone) this.places.delete(mac);
    return gone;
  }
}
