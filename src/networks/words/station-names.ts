/** Names for the addresses of stations. A station without an address is left out. */
export class StationNames {
  private readonly names = new Map<string, string>([['ff:ff:ff:ff:ff:ff', 'broadcast']]);

  constructor(stations: readonly { readonly name: string; readonly mac?: string; readonly ip?: string }[] = []) {
    for (const { name, mac, ip } of stations)
      for (const address of [mac, ip]) if (address !== undefined) this.names.set(address, name);
  }

  /** The name of the station with this MAC or IPv4 address; otherwise the address. */
  of(address: string): string {
    return this.names.get(address) ?? address;
  }
}
