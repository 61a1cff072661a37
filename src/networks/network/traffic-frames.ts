import type { Hex } from '../bytes/data.ts';
import { buildFrame } from '../frames/ethernet.ts';
import type { Ipv4 } from '../frames/frame.ts';
import { plainHeader, type StationAddress } from './station.ts';

/** The frames that stations send, as bytes. */

const ECHO_REQUEST = 8;

/** An ICMP echo request; a station that pings itself shows the network where it is. */
export const pingFrame = (from: StationAddress, to: StationAddress, seq = 1): Hex =>
  ipv4Frame(from, to, 1, {
    kind: 'icmp',
    icmpType: ECHO_REQUEST,
    icmpCode: 0,
    echo: { id: 1, seq },
    data: '',
  });

const BROADCAST = 'ff:ff:ff:ff:ff:ff';
const UNKNOWN = '00:00:00:00:00:00';

/** A request for the MAC address of a station, to all stations. */
export const arpFrame = (from: StationAddress, to: StationAddress): Hex =>
  buildFrame({
    dlDst: BROADCAST,
    dlSrc: from.mac,
    dlType: 0x0806,
    payload: { kind: 'arp', op: 1, sha: from.mac, spa: from.ip, tha: UNKNOWN, tpa: to.ip },
  });

/** The first ports of flows: flow n of a pair of stations is from this port plus n. */
const CLIENT_PORT = 10_000;
const SERVER_PORT = 80;
const DNS_PORT = 53;

/** A segment of a numbered flow: the first one opens the connection, the others carry data. */
export const tcpFrame = (from: StationAddress, to: StationAddress, flow: number, nth: number): Hex =>
  ipv4Frame(from, to, 6, {
    kind: 'tcp',
    tpSrc: CLIENT_PORT + flow,
    tpDst: SERVER_PORT,
    seq: nth,
    ack: nth === 0 ? 0 : 1,
    flags: nth === 0 ? ['syn'] : ['psh', 'ack'],
    window: 0xffff,
    urgent: 0,
    data: nth === 0 ? '' : (nth & 0xff).toString(16).padStart(2, '0'),
  });

export const udpFrame = (from: StationAddress, to: StationAddress, flow: number): Hex =>
  ipv4Frame(from, to, 17, { kind: 'udp', tpSrc: CLIENT_PORT + flow, tpDst: DNS_PORT, data: '' });

const ipv4Frame = (from: StationAddress, to: StationAddress, nwProto: number, payload: Ipv4['payload']): Hex =>
  buildFrame({
    dlDst: to.mac,
    dlSrc: from.mac,
    dlType: 0x0800,
    payload: { ...plainHeader, nwProto, nwSrc: from.ip, nwDst: to.ip, payload },
  });
