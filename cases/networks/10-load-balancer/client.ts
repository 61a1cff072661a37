import { behavior } from 'culprit';
import { buildFrame, type Station } from 'culprit/networks';

/** The address of the service, as clients know it. */
const SERVICE = { mac: '00:00:5e:00:53:64', ip: '192.0.2.100' } as const;

const IPV4 = 0x0800;
const TCP = 6;
/** Flow n comes from this port plus n. */
const FIRST_PORT = 10_000;
const SEGMENTS = 8;
/** From a segment to the next one. */
const GAP_MS = 15;

interface Open {
  readonly type: 'open';
  readonly flow: number;
}

/** A TCP client at a station. Each flow that it is asked to open has several segments, one after the other. */
export const client = (station: Station) =>
  behavior<object, Open, `${number} ${number}`>({
    start: () => ({}),
    receive(_state, { flow }, ctx) {
      ctx.send(station.switch, { type: 'frame', port: station.port, packet: segment(station, flow, 0) } as never);
      ctx.setTimer(`${flow} 1`, GAP_MS);
    },
    timer(_state, timer, ctx) {
      const [flow = 0, nth = 0] = timer.split(' ').map(Number);
      ctx.send(station.switch, { type: 'frame', port: station.port, packet: segment(station, flow, nth) } as never);
      if (nth + 1 < SEGMENTS) ctx.setTimer(`${flow} ${nth + 1}`, GAP_MS);
    },
  });

const segment = ({ mac, ip }: Station, flow: number, nth: number): string =>
  buildFrame({
    dlDst: SERVICE.mac,
    dlSrc: mac,
    dlType: IPV4,
    payload: {
      kind: 'ipv4',
      nwSrc: ip,
      nwDst: SERVICE.ip,
      nwTos: 0,
      nwProto: TCP,
      ttl: 64,
      id: 0,
      flags: [],
      fragmentOffset: 0,
      payload: {
        kind: 'tcp',
        tpSrc: FIRST_PORT + flow,
        tpDst: 80,
        seq: nth,
        ack: nth === 0 ? 0 : 1,
        flags: nth === 0 ? ['syn'] : ['psh', 'ack'],
        window: 0xffff,
        urgent: 0,
        data: nth === 0 ? '' : nth.toString(16).padStart(2, '0'),
      },
    },
  });
