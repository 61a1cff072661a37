import { behavior, cut, defineSystem, heal, send, untilQuiet } from 'culprit';
import { buildFrame, flowMod, networkPhrases, openflowSwitch, type SwitchMessage } from 'culprit/networks';
import type { AnyBehavior } from 'culprit/kernel';
import type { ProcessTopology } from 'culprit/trace';

/** The address of a station: h1 has 00:00:5e:00:53:01. */
const mac = (nth: number): string => `00:00:5e:00:53:0${nth}`;

const BROADCAST = 'ff:ff:ff:ff:ff:ff';

/** A frame of one station to another, or to all. */
export const frame = (from: number, to?: number): string =>
  buildFrame({
    dlDst: to === undefined ? BROADCAST : mac(to),
    dlSrc: mac(from),
    dlType: to === undefined ? 0x0806 : 0x88b5,
    payload:
      to === undefined
        ? { kind: 'arp', op: 1, sha: mac(from), spa: '192.0.2.1', tha: '00:00:00:00:00:00', tpa: '192.0.2.3' }
        : { kind: 'opaque', data: '616263' },
  });

/** Learns at which port of which switch an address is, and installs an entry for packets to it. */
const learningSwitch = behavior<{ places: Map<string, number> }, SwitchMessage>({
  start: () => ({ places: new Map() }),
  receive(state, message, ctx) {
    if (message.type !== 'packet_in') return;
    const { bufferId, inPort, data } = message;
    const address = (at: number): string => data.slice(at, at + 12);
    if (typeof inPort === 'number') state.places.set(`${ctx.from} ${address(12)}`, inPort);
    const port = state.places.get(`${ctx.from} ${address(0)}`);
    const actions = [{ type: 'output', port: port ?? 'flood', maxLen: 0 }] as const;
    if (port === undefined) ctx.send(ctx.from, { type: 'packet_out', xid: 1, bufferId, inPort, actions, data: '' });
    else {
      const dlDst = (address(0).match(/../g) ?? []).join(':');
      ctx.send(ctx.from, flowMod({ xid: 2, match: { inPort, dlDst }, bufferId, actions }));
    }
  },
});

/** Three switches in a line with a station each: port 1 to the left, 2 to the right, 3 to the station. */
export const topology: ProcessTopology = {
  nodes: ['s1', 's2', 's3'],
  links: [
    {
      ends: [
        { process: 's1', port: 2 },
        { process: 's2', port: 1 },
      ],
    },
    {
      ends: [
        { process: 's2', port: 2 },
        { process: 's3', port: 1 },
      ],
    },
  ],
  stations: [1, 2, 3].map((nth) => ({ name: `h${nth}`, process: `s${nth}`, port: 3, addresses: [mac(nth)] })),
  controllers: ['c1'],
};

const switches = Object.fromEntries(
  [1, 2, 3].map((nth) => [
    `s${nth}`,
    openflowSwitch({
      datapathId: nth,
      controllers: ['c1'],
      ports: [
        ...(nth > 1
          ? [{ portNo: 1, hwAddr: `00:00:5e:00:54:${nth}1`, peer: { process: `s${nth - 1}`, port: 2 } }]
          : []),
        ...(nth < 3
          ? [{ portNo: 2, hwAddr: `00:00:5e:00:54:${nth}2`, peer: { process: `s${nth + 1}`, port: 1 } }]
          : []),
        { portNo: 3, hwAddr: `00:00:5e:00:54:${nth}3` },
      ],
    }),
  ]),
);

const processes: Readonly<Record<string, AnyBehavior>> = { c1: learningSwitch, ...switches };

/** h1 asks for h3, h3 answers, h1 sends; then a link and a channel are cut, and the next frame is lost. */
export default defineSystem({
  name: 'learning switch',
  processes,
  transport: { onCut: 'drop' },
  topology,
  phrases: networkPhrases({ stations: topology.stations ?? [] }),
  workload: [
    send('s1', { type: 'frame', port: 3, packet: frame(1) }),
    untilQuiet(),
    send('s3', { type: 'frame', port: 3, packet: frame(3, 1) }),
    untilQuiet(),
    send('s1', { type: 'frame', port: 3, packet: frame(1, 3) }),
    untilQuiet(),
    cut('s2', 's3'),
    cut('c1', 's3'),
    send('s1', { type: 'frame', port: 3, packet: frame(1, 3) }),
    untilQuiet(),
    heal('c1', 's3'),
  ],
  invariants: {
    // Once nothing is under way after the cuts, the last frame is lost.
    arrives: (world) => world.pending.length > 0 || world.length < 40 || 'the last frame of h1 did not reach h3',
  },
});
