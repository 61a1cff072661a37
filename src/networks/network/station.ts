import type { Hex } from '../bytes/data.ts';
import { buildFrame, parseFrame } from '../frames/ethernet.ts';
import type { Arp, Frame, Icmp, Ipv4 } from '../frames/frame.ts';
import type { Station } from '../topology/topology.ts';

/** A station without its place; or one of its further interfaces. */
export type StationAddress = Pick<Station, 'name' | 'mac' | 'ip' | 'of'>;

/** Without a spread, whose objects take more memory: networks have a hundred thousand stations. */
export const addressOf = ({ name, mac, ip, of }: Station): StationAddress =>
  of === undefined ? { name, mac, ip } : { name, mac, ip, of };

/** What a station has received. It is part of the state of the switch where the station is, and made by the first frame. */
export interface StationRecord {
  /** How many frames have arrived. */
  frames: number;
  /** The last of them, the oldest first. */
  readonly last: { readonly packet: Hex; readonly atMs: number }[];
  /** Of a further interface: the station that it belongs to. */
  readonly of?: string;
}

/** Which requests stations answer, as real ones do. Otherwise they are silent. */
export interface StationAnswers {
  /** Requests for their MAC address; true by default. */
  readonly arp?: boolean;
  /** Pings; false by default. */
  readonly pings?: boolean;
}

/** How many frames a record keeps. */
const KEPT = 8;

export function noteFrame(
  records: Record<string, StationRecord>,
  { name, of }: Pick<StationAddress, 'name' | 'of'>,
  packet: Hex,
  atMs: number,
): void {
  const record = (records[name] ??= { frames: 0, last: [], ...(of === undefined ? {} : { of }) });
  record.frames++;
  if (record.last.length === KEPT) record.last.shift();
  record.last.push({ packet, atMs });
}

/** One record of several interfaces. */
export const merged = (records: readonly StationRecord[]): StationRecord => ({
  frames: records.reduce((sum, { frames }) => sum + frames, 0),
  last: records
    .flatMap(({ last }) => last)
    .toSorted((one, other) => one.atMs - other.atMs)
    .slice(-KEPT),
});

/** The type of an untagged frame, as hexadecimal text: digits 24 to 27. */
const typeOf = (packet: Hex): Hex => packet.slice(24, 28);
const ARP = '0806';
const IPV4 = '0800';

/** The answer of a station to a frame that reaches it; undefined if it has none. */
export function answerTo(packet: Hex, station: StationAddress, answers: StationAnswers): Hex | undefined {
  const type = typeOf(packet);
  if (type === ARP && answers.arp !== false) return arpReply(parseFrame(packet), station);
  if (type === IPV4 && answers.pings === true) return echoReply(parseFrame(packet), station);
  return undefined;
}

const REQUEST = 1;
const REPLY = 2;

function arpReply(frame: Frame | undefined, { mac, ip }: StationAddress): Hex | undefined {
  const asked = frame?.payload;
  if (asked?.kind !== 'arp' || asked.op !== REQUEST || asked.tpa !== ip || asked.sha === mac) return undefined;
  const payload: Arp = { kind: 'arp', op: REPLY, sha: mac, spa: ip, tha: asked.sha, tpa: asked.spa };
  return buildFrame({ dlDst: asked.sha, dlSrc: mac, dlType: 0x0806, payload });
}

const ECHO_REQUEST = 8;
const ECHO_REPLY = 0;

function echoReply(frame: Frame | undefined, { mac, ip }: StationAddress): Hex | undefined {
  if (frame?.dlDst !== mac || frame.dlSrc === mac || frame.payload.kind !== 'ipv4') return undefined;
  const asked = frame.payload;
  if (asked.nwDst !== ip || asked.payload.kind !== 'icmp' || asked.payload.icmpType !== ECHO_REQUEST) return undefined;
  const { echo, data } = asked.payload;
  const reply: Icmp = { kind: 'icmp', icmpType: ECHO_REPLY, icmpCode: 0, ...(echo && { echo }), data };
  const payload: Ipv4 = { ...plainHeader, nwProto: 1, nwSrc: ip, nwDst: asked.nwSrc, payload: reply };
  return buildFrame({ dlDst: frame.dlSrc, dlSrc: mac, dlType: 0x0800, payload });
}

/** The header of an IPv4 packet in which nothing is special. */
export const plainHeader = {
  kind: 'ipv4',
  nwTos: 0,
  ttl: 64,
  id: 0,
  flags: [],
  fragmentOffset: 0,
} as const;
