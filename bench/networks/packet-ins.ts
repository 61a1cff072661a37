import { loadavg } from 'node:os';
import { resolveSystem, targetOf, type Session } from 'culprit/kernel';
import { controller, defineNetwork, network, topologyFrom, type PacketIn } from 'culprit/networks';
import type { Measured } from '../row.ts';
import { learningControllers } from './learning-controllers.ts';
import { withController } from './plain-switch.ts';

/** Packets that are answered with a flow_mod, directly and through culprit. */
const [DIRECT, THROUGH] = [1_000, 100];

/** One switch with two stations. */
const topology = topologyFrom(`{
  "switches": [{ "name": "s1" }],
  "links": [],
  "stations": [{ "name": "h1", "switch": "s1", "port": 1 }, { "name": "h2", "switch": "s1", "port": 2 }]
}`);

/** A frame from the station of that number, of which there are many, to another. Station 0 is at port 2, and the others at port 1. */
const frame = (from: number, to: number): string => `${mac(to)}${mac(from)}1234${'00'.repeat(46)}`;
const mac = (station: number): string => `02${station.toString(16).padStart(10, '0')}`;

/** How many packets a second of a switch that knows no flow are answered with a flow_mod: one after the other. */
export async function* packetIns(): AsyncGenerator<Measured> {
  for (const [name, command] of Object.entries(learningControllers)) {
    yield { case: name, metric: 'flow_mods, plain client', value: await directly(command), unit: '/s' };
    yield { case: name, metric: 'flow_mods, through culprit', value: await throughCulprit(command), unit: '/s' };
    yield { case: name, metric: 'load', value: loadavg()[0] as number, unit: '' };
  }
}

/** A plain client in place of culprit. */
const directly = (command: readonly string[]): Promise<number> =>
  withController(command, async (client) => {
    const learned = client.next('packet_out');
    client.send(packetIn(0, 0, 1));
    await learned;
    return perSecond(DIRECT, async (station) => {
      const answered = client.next('flow_mod');
      client.send(packetIn(station, station, 0));
      await answered;
    });
  });

const packetIn = (xid: number, from: number, to: number): PacketIn => {
  const data = frame(from, to);
  const totalLen = data.length / 2;
  return { type: 'packet_in', xid, bufferId: 'none', totalLen, inPort: from === 0 ? 2 : 1, reason: 'no_match', data };
};

/** Through culprit: a switch of culprit, and its channel to the controller. */
const throughCulprit = (command: readonly string[]): Promise<number> =>
  withPacketIns(controller(command), (answered) => perSecond(THROUGH, answered));

/** Connects a switch to a controller. `answered` sends the packet of a station that is unknown, and resolves when its flow_mod is there. */
export async function withPacketIns<T>(
  c1: ReturnType<typeof controller>,
  measure: (answered: (station: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  const resolved = resolveSystem(defineNetwork({ topology, controllers: { c1 } }));
  const session = targetOf(resolved).open(1);
  const { inject } = network(topology, { controllers: ['c1'] });
  try {
    for (const item of resolved.plan(1).items) if (item.kind === 'start') await session.perform(item);
    await deliverUntil(session, 'features_reply');
    await session.perform(inject('h2', frame(0, 1)));
    await deliverUntil(session, 'packet_out');
    return await measure(async (station) => {
      await session.perform(inject('h1', frame(station, 0)));
      await deliverUntil(session, 'flow_mod');
    });
  } finally {
    await session.close();
  }
}

/** Delivers everything up to the first message of this type. */
async function deliverUntil(session: Session, type: string): Promise<void> {
  for (;;) {
    const [next] = session.enabled;
    if (next === undefined) {
      if ((await session.wait?.({ ms: 10_000 })) === 'timeout') throw new Error(`bench: no ${type} arrives`);
      continue;
    }
    await session.perform(next);
    if (next.kind === 'deliver' && (next.message as { type: string }).type === type) return;
  }
}

async function perSecond(count: number, once: (station: number) => Promise<void>): Promise<number> {
  const beganMs = performance.now();
  for (let station = 1; station <= count; station++) await once(station);
  return count / ((performance.now() - beganMs) / 1000);
}
