import { describe, expect, test } from 'vitest';
import { Played, pipe } from '../../../test/twins/networks/played-network.ts';
import { crash, restart } from '../../system/externals.ts';
import { hex } from '../../trace/digest.ts';
import type { Internal } from '../../trace/event.ts';
import { parseFrame } from '../frames/ethernet.ts';
import { linear, ring } from '../topology/line.ts';
import { networkStateOf } from './network-state-of.ts';
import { receivedBy } from './world-of-stations.ts';

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
      for (const event of session.enabled.slice()) await session.perform(event);
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
    for (const event of session.enabled.slice()) await session.perform(event);
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
