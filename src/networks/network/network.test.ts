import { describe, expect, test } from 'vitest';
import { behavior } from '../../system/define-system.ts';
import { crash, restart, send } from '../../system/externals.ts';
import { resolveSystem } from '../../system/resolve.ts';
import { targetOf } from '../../hosts/target.ts';
import type { Session } from '../../kernel/ports.ts';
import type { External, Internal } from '../../trace/event.ts';
import { hex } from '../../trace/digest.ts';
import type { Action, FlowMod, Match, Port } from '../openflow/messages.ts';
import { parseFrame } from '../frames/ethernet.ts';
import { linear, ring } from '../topology/line.ts';
import { mesh } from '../topology/mesh.ts';
import type { Topology } from '../topology/topology.ts';
import { defineNetwork } from './define-network.ts';
import { BadNetwork } from './names.ts';
import { network, type Network } from './network.ts';
import { networkStateOf } from './network-state-of.ts';
import type { NetworkMessage } from './network-switch.ts';
import type { NetworkOptions } from './options.ts';
import { receivedBy } from './world-of-stations.ts';

/** Keeps the reports on ports that it gets. */
const controller = behavior<{ heard: string[] }, NetworkMessage>({
  start: () => ({ heard: [] }),
  receive(state, message, ctx) {
    if (message.type === 'hello') ctx.send(ctx.from, message);
    if (message.type === 'port_status')
      state.heard.push(`${ctx.from}.${message.desc.portNo} ${message.reason} ${message.desc.state.join() || 'up'}`);
  },
});

/** A network in which tests play the controller. */
class Played {
  private constructor(
    readonly session: Session,
    readonly net: Network,
  ) {}

  static async of(topology: Topology, options: Omit<NetworkOptions, 'controllers'> = {}, faults = {}): Promise<Played> {
    const system = defineNetwork({ topology, controllers: { c1: controller }, ...options, faults });
    const resolved = resolveSystem(system);
    const session = targetOf(resolved).open(1);
    for (const item of resolved.plan(1).items) await session.perform(item as External);
    const played = new Played(session, network(topology, { ...options, controllers: ['c1'] }));
    await played.quiet();
    return played;
  }

  /** Performs externals, each with all events that follow. */
  async does(...externals: readonly External[]): Promise<this> {
    for (const external of externals) {
      await this.session.perform(external);
      await this.quiet();
    }
    return this;
  }

  async quiet(): Promise<this> {
    for (let [next] = this.session.enabled; next !== undefined; [next] = this.session.enabled)
      await this.session.perform(next);
    return this;
  }

  /** Puts an entry into the table of a switch. */
  entry(name: string, match: Match, ...ports: readonly Port[]): Promise<this> {
    const actions = ports.map((port): Action => ({ type: 'output', port, maxLen: 0 }));
    return this.does(send(name, { ...flowMod, match, actions }));
  }

  received(station: string): number {
    return receivedBy(this.session.world, station).frames;
  }

  get heard(): string[] {
    return (this.session.world.process('c1').state as { heard: string[] }).heard;
  }

  get frames(): Internal[] {
    return this.session.world.pending.filter((event) => event.kind === 'deliver' && event.lane !== undefined);
  }
}

const flowMod: FlowMod = {
  type: 'flow_mod',
  xid: 1,
  match: {},
  cookie: 0,
  command: 'add',
  idleTimeout: 0,
  hardTimeout: 0,
  priority: 1,
  bufferId: 'none',
  outPort: 'none',
  flags: [],
  actions: [],
};

/** Two switches that send everything from their station over the link, and everything else to their station. */
async function pipe(options: Omit<NetworkOptions, 'controllers'> = {}, faults = {}): Promise<Played> {
  const played = await Played.of(linear(2), options, faults);
  for (const name of ['s1', 's2']) {
    await played.entry(name, { inPort: 2 }, 1);
    await played.entry(name, { inPort: 1 }, 2);
  }
  return played;
}

describe('stations', () => {
  test('get what their switch sends to their port, and record it', async () => {
    const played = await pipe();
    await played.does(played.net.ping('h1', 'h2'), ...played.net.tcp('h1', 'h2', { flow: 3, segments: 2 }));
    expect([played.received('h1'), played.received('h2')]).toEqual([0, 3]);
    const kinds = receivedBy(played.session.world, 'h2').last.map(({ packet }) => {
      const payload = parseFrame(packet)?.payload;
      return payload?.kind === 'ipv4' && payload.payload;
    });
    expect(kinds).toMatchObject([
      { kind: 'icmp', icmpType: 8 },
      { kind: 'tcp', tpSrc: 10_003, flags: ['syn'] },
      { kind: 'tcp', tpSrc: 10_003, seq: 1, data: '01' },
    ]);
  });

  test('keep the last eight frames', async () => {
    const played = await pipe();
    const flows = Array.from({ length: 11 }, (_, flow) => played.net.udp('h1', 'h2', { flow }));
    for (const one of flows) await played.does(one);
    const { frames, last } = receivedBy(played.session.world, 'h2');
    const flow = (packet = ''): unknown => {
      const payload = parseFrame(packet)?.payload;
      return payload?.kind === 'ipv4' && payload.payload.kind === 'udp' && payload.payload.tpSrc - 10_000;
    };
    expect([frames, last.length, flow(last[0]?.packet), flow(last[7]?.packet)]).toEqual([11, 8, 3, 10]);
  });

  test('answer requests for their address, unless they are silent', async () => {
    const [answering, silent] = [await pipe(), await pipe({ stations: { arp: false } })];
    for (const played of [answering, silent]) await played.does(played.net.arp('h1', 'h2'));
    expect([answering.received('h1'), silent.received('h1'), silent.received('h2')]).toEqual([1, 0, 1]);
    expect(parseFrame(receivedBy(answering.session.world, 'h1').last[0]?.packet ?? '')).toMatchObject({
      dlSrc: '12:34:56:78:02:02',
      dlDst: '12:34:56:78:01:02',
      payload: { kind: 'arp', op: 2, sha: '12:34:56:78:02:02', spa: '123.123.2.2', tpa: '123.123.1.2' },
    });
    // A request for the address of another station is none of its business.
    const topology = linear(3);
    const three = await Played.of(topology);
    for (const name of ['s1', 's2', 's3']) await three.entry(name, {}, 'flood');
    await three.does(three.net.arp('h1', 'h3'));
    expect([three.received('h1'), three.received('h2'), three.received('h3')]).toEqual([1, 2, 1]);
  });

  test('answer pings if they are asked to', async () => {
    const [answering, silent] = [await pipe({ stations: { pings: true } }), await pipe()];
    for (const played of [answering, silent]) await played.does(played.net.ping('h1', 'h2'));
    expect([answering.received('h1'), silent.received('h1')]).toEqual([1, 0]);
    expect(parseFrame(receivedBy(answering.session.world, 'h1').last[0]?.packet ?? '')).toMatchObject({
      payload: { nwSrc: '123.123.2.2', payload: { icmpType: 0, echo: { id: 1, seq: 1 } } },
    });
  });
});

describe('a link', () => {
  test('that is cut loses the frames on it and later ones, and both ends report it', async () => {
    const played = await pipe();
    const { session, net } = played;
    await session.perform(net.ping('h1', 'h2'));
    await session.perform(session.enabled[0] as Internal);
    expect(played.frames).toHaveLength(1);
    await played.does(net.cutLink('s1', 's2'));
    await played.does(net.ping('h1', 'h2'));
    expect([played.received('h2'), played.heard]).toEqual([0, ['s1.1 modify link_down', 's2.1 modify link_down']]);
    await played.does(net.healLink('s2', 's1'), net.ping('h1', 'h2'));
    expect([played.received('h2'), played.heard.slice(2)]).toEqual([1, ['s1.1 modify up', 's2.1 modify up']]);
  });

  test('with one-sided reports is down for its first end only', async () => {
    const played = await pipe({ oneSided: true });
    await played.does(played.net.cutLink('s1', 's2'));
    expect(played.heard).toEqual(['s1.1 modify link_down']);
  });

  test('keeps the order of its frames, unless it reorders', async () => {
    for (const [reorder, deliverable] of [
      [false, 1],
      [true, 2],
    ] as const) {
      const { session, net } = await pipe({ reorder });
      await session.perform(net.udp('h1', 'h2', { flow: 1 }));
      await session.perform(net.udp('h1', 'h2', { flow: 2 }));
      for (const event of [...session.enabled]) await session.perform(event);
      expect(session.enabled).toHaveLength(deliverable);
    }
  });

  test('beside a parallel one has a queue and a state of its own', async () => {
    const played = await Played.of(ring(2));
    const { session, net } = played;
    await played.entry('s1', {}, 1, 2);
    await played.entry('s2', { inPort: 2 }, 3);
    await session.perform(net.ping('h1', 'h2'));
    await session.perform(session.enabled[0] as Internal);
    expect(session.enabled.map((event) => event.kind === 'deliver' && event.lane)).toEqual(['1-2', '2-1']);
    await played.does(net.cutLink('s1.2', 's2.1'));
    expect([played.received('h2'), played.heard]).toEqual([1, ['s1.2 modify link_down', 's2.1 modify link_down']]);
    expect(() => net.cutLink('s1', 's2')).toThrow('there are 2 links between s1 and s2.');
  });

  test('is one that the environment may cut; a channel only if it is declared so', async () => {
    const cuts = async (channelCuts: boolean): Promise<number> => {
      const { session } = await pipe({ channelCuts }, { partitions: 1 });
      return session.faults().length;
    };
    expect([await cuts(false), await cuts(true)]).toEqual([1, 3]);
  });

  test('loses frames, a channel never loses messages', async () => {
    const { session, net } = await pipe({}, { losses: 1 });
    await session.perform(net.cutLink('s1', 's2'));
    for (const event of [...session.enabled]) await session.perform(event);
    expect(session.enabled.map(({ process }) => process)).toEqual(['c1', 'c1']);
    expect(session.faults()).toEqual([]);
    await session.perform(net.healLink('s1', 's2'));
    for (let [next] = session.enabled; next !== undefined; [next] = session.enabled) await session.perform(next);
    await session.perform(net.ping('h1', 'h2'));
    await session.perform(session.enabled[0] as Internal);
    const [frame] = session.enabled;
    expect(session.faults()).toEqual([{ kind: 'lose', target: hex(frame as Internal) }]);
  });

  test('goes down with the switch at its other end, and comes back with it', async () => {
    const played = await pipe();
    await played.does(crash('s2'));
    expect(played.heard).toEqual(['s1.1 modify link_down']);
    await played.does(restart('s2'));
    expect(played.heard.slice(1)).toEqual(['s1.1 modify up']);
  });
});

describe('a station that moves', () => {
  const moving = { migrations: true } as const;

  test('leaves a port that is down, and gets a new one at the other switch', async () => {
    const played = await pipe(moving);
    await played.does(played.net.ping('h2', 'h1'), played.net.migrate('h1', 's2'));
    expect(played.heard).toEqual(['s1.2 modify link_down', 's2.3 add up']);
    // Its record moves with it, and it sends from its new place.
    expect(played.received('h1')).toBe(1);
    await played.entry('s2', { inPort: 3 }, 2);
    await played.does(played.net.ping('h1', 'h2'));
    expect(played.received('h2')).toBe(1);
    const { switches } = networkStateOf(played.session.world);
    expect(switches[0]?.ports[1]).toEqual({ portNo: 2, isUp: false, config: [] });
    expect(switches[1]?.ports[2]).toMatchObject({ portNo: 3, isUp: true, peer: { kind: 'station', name: 'h1' } });
  });

  test('moves again from where it is, also back to the first switch', async () => {
    const played = await pipe(moving);
    for (const to of ['s2', 's1', 's1', 's2']) await played.does(played.net.migrate('h1', to));
    expect(played.heard).toEqual([
      's1.2 modify link_down',
      's2.3 add up',
      's2.3 modify link_down',
      's1.3 add up',
      's1.3 modify link_down',
      's1.4 add up',
      's1.4 modify link_down',
      's2.4 add up',
    ]);
  });

  test('keeps its place when a switch crashes, before, behind or at it', async () => {
    const played = await pipe(moving);
    await played.does(played.net.migrate('h1', 's2'), crash('s1'), restart('s1'));
    await played.does(crash('s2'), restart('s2'));
    const places = networkStateOf(played.session.world).switches.flatMap(({ name, ports }) =>
      ports.flatMap(({ portNo, isUp, peer }) =>
        peer?.kind === 'station' && isUp ? [`${peer.name} ${name}.${portNo}`] : [],
      ),
    );
    expect(places).toEqual(['h2 s2.2', 'h1 s2.3']);
  });

  test('is nowhere on its way: it sends nothing, and moves no further', async () => {
    const { session, net } = await pipe(moving);
    await session.perform(net.migrate('h1', 's2'));
    await session.perform(session.enabled[0] as Internal);
    const before = session.world.length;
    await session.perform(net.ping('h1', 'h2'));
    await session.perform(net.migrate('h1', 's1'));
    expect(session.world.length - before).toBe(2);
  });

  test('gets a port of its own, even if others are on their way to the same switch', async () => {
    const played = await Played.of(mesh(3), moving);
    for (const station of ['h1', 'h2']) await played.session.perform(played.net.migrate(station, 's3'));
    await played.quiet();
    expect(played.heard.filter((line) => line.includes('add')).toSorted()).toEqual(['s3.4 add up', 's3.5 add up']);
  });

  test('may announce itself', async () => {
    const played = await pipe({ migrations: 'announced' });
    await played.entry('s2', { inPort: 3 }, 2);
    await played.does(played.net.migrate('h1', 's2'));
    expect(played.received('h2')).toBe(1);
  });
});

describe('networkStateOf', () => {
  test('shows the ports of a link that is cut as up until their switches get the report', async () => {
    const { session, net } = await pipe();
    await session.perform(net.cutLink('s1', 's2'));
    const ports = () => networkStateOf(session.world).switches.map(({ ports: [first] }) => first);
    const peer = { kind: 'switch', name: 's2', port: 1 };
    expect(ports()[0]).toEqual({ portNo: 1, isUp: true, linkIsUp: false, config: [], peer });
    await session.perform(session.enabled.find(({ process }) => process === 's1') as Internal);
    expect(ports().map((port) => [port?.isUp, port?.linkIsUp])).toEqual([
      [false, false],
      [true, false],
    ]);
  });

  test('has the tables of the switches that are up', async () => {
    const played = await pipe();
    expect(networkStateOf(played.session.world).switches.map(({ name, entries }) => [name, entries.length])).toEqual([
      ['s1', 2],
      ['s2', 2],
    ]);
    await played.does(crash('s2'));
    expect(networkStateOf(played.session.world).switches.map(({ name }) => name)).toEqual(['s1']);
  });
});

describe('traffic', () => {
  const net = network(mesh(3));

  test('of all stations', () => {
    expect([net.toSelf().length, net.allToAll().length]).toEqual([3, 6]);
  });

  test('at random differs from seed to seed, and uses every kind that it is asked for', () => {
    const moving = network(mesh(3), { migrations: true });
    const weights = { pings: 1, arps: 1, tcp: 1, udp: 1, migrations: 1 };
    const system = defineNetwork({
      topology: mesh(3),
      controllers: { c1: controller },
      migrations: true,
      traffic: () => [moving.random(30, weights)],
    });
    const drawn = (seed: number) => resolveSystem(system).plan(seed).items.slice(4);
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
    const kinds = new Set(drawn(1).map((item) => item.kind === 'act' && item.action));
    expect([...kinds].toSorted()).toEqual(['arp', 'migrate', 'ping', 'tcp', 'udp']);
  });

  test.each<[() => unknown, string]>([
    [() => net.ping('h1', 'h9'), 'the topology has no station "h9".'],
    [() => net.migrate('h1', 's2'), 'h1 cannot move.'],
    [() => network(mesh(2), { migrations: true }).migrate('h1', 's3'), 'the topology has no switch "s3".'],
    [() => net.cutLink('s1', 's1'), 'there is no link between s1 and s1.'],
    [() => net.random(3, { ping: 1 } as never), 'there is no random traffic called ping.'],
    [() => network(linear(1)).random(1), 'random traffic needs two stations.'],
  ])('of a name that does not exist is refused', (make, message) => {
    expect(make).toThrow(BadNetwork);
    expect(make).toThrow(message);
  });

  test('options that do not exist are refused', () => {
    expect(() => network(mesh(2), { oneside: true } as never)).toThrow('did you mean oneSided?');
  });
});
