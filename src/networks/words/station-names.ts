/** A station, and the addresses that mean it. */
export interface AddressedStation {
  /** What stories call it, such as `h1`. */
  readonly name: string;
  /** MAC and IPv4 addresses that are replaced by the name. */
  readonly addresses?: readonly string[] | undefined;
}

/** Names for the MAC and IPv4 addresses of stations. */
export class StationNames {
  private readonly names = new Map<string, string>([['ff:ff:ff:ff:ff:ff', 'broadcast']]);

  constructor(stations: readonly AddressedStation[] = []) {
    for (const { name, addresses = [] } of stations) for (const address of addresses) this.names.set(address, name);
  }

  /** The name of the station with this address; otherwise the address. */
  of(address: string): string {
    return this.names.get(address) ?? address;
  }
}
