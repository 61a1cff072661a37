/** Where the headers of a packet are that a switch reads and changes. */
export interface PacketHeaders {
  /** Whether it has the tag of a virtual LAN (802.1Q). */
  readonly isTagged: boolean;
  readonly dlType: number;
  /** Where the IPv4 or ARP header begins; undefined for other packets, and for those that are damaged. */
  readonly ipv4?: number;
  readonly arp?: number;
  /** Where the TCP, UDP or ICMP header begins: not in later fragments. */
  readonly transport?: number;
  readonly isFragment: boolean;
}

const ETHERNET = 14;
export const TAG = 4;
/** Where the type or the tag is. */
export const TYPE = 12;
export const VLAN = 0x8100;

const IPV4 = 0x0800;
const ARP = 0x0806;

/** A smaller number is the length of an 802.3 frame. */
const FIRST_TYPE = 0x0600;
/** The type of an 802.3 frame without SNAP, in a match. */
const NO_TYPE = 0x05ff;
/** LLC and SNAP with an Ethernet type after it. */
const SNAP = Buffer.from('aaaa03000000', 'hex');

/** For Ethernet and IPv4: its length, and the bytes it begins with. */
const ARP_LENGTH = 28;
const ARP_START = Buffer.from('000108000604', 'hex');

const IPV4_HEADER = 20;
const FRAGMENT_OFFSET = 0x1fff;
const MORE_FRAGMENTS = 0x2000;
const transportHeader = new Map([
  [1, 8],
  [6, 20],
  [17, 8],
]);

/** Undefined if the packet is shorter than an Ethernet header. */
export function headersOf(bytes: Buffer): PacketHeaders | undefined {
  if (bytes.length < ETHERNET) return undefined;
  const isTagged = bytes.length >= ETHERNET + TAG && bytes.readUInt16BE(TYPE) === VLAN;
  const start = isTagged ? ETHERNET + TAG : ETHERNET;
  const type = bytes.readUInt16BE(start - 2);
  const common = { isTagged, isFragment: false };
  if (type === IPV4) return { ...common, dlType: type, ...ipv4Headers(bytes, start) };
  if (type === ARP) return { ...common, dlType: type, ...(isArp(bytes, start) ? { arp: start } : {}) };
  return { ...common, dlType: type < FIRST_TYPE ? typeOf8023(bytes, start) : type };
}

function typeOf8023(bytes: Buffer, start: number): number {
  const end = start + SNAP.length;
  if (bytes.length < end + 2 || bytes.compare(SNAP, 0, SNAP.length, start, end) !== 0) return NO_TYPE;
  const type = bytes.readUInt16BE(end);
  return type < FIRST_TYPE ? NO_TYPE : type;
}

const isArp = (bytes: Buffer, start: number): boolean =>
  bytes.length >= start + ARP_LENGTH &&
  bytes.compare(ARP_START, 0, ARP_START.length, start, start + ARP_START.length) === 0;

function ipv4Headers(bytes: Buffer, start: number): Partial<PacketHeaders> {
  const left = bytes.length - start;
  if (left < IPV4_HEADER) return {};
  const first = bytes[start] as number;
  const header = (first & 0xf) * 4;
  const total = bytes.readUInt16BE(start + 2);
  if (first >> 4 !== 4 || header < IPV4_HEADER || header > total || total > left) return {};
  const fragment = bytes.readUInt16BE(start + 6);
  const isFragment = (fragment & (FRAGMENT_OFFSET | MORE_FRAGMENTS)) !== 0;
  const needed = transportHeader.get(bytes[start + 9] as number);
  const hasTransport = needed !== undefined && (fragment & FRAGMENT_OFFSET) === 0 && total - header >= needed;
  return { ipv4: start, isFragment, ...(hasTransport ? { transport: start + header } : {}) };
}
