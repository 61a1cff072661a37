import { describe, expect, test } from 'vitest';
import { Played, pipe } from '../../../test/twins/networks/played-network.ts';
import { crash, restart } from '../../system/externals.ts';
import type { Internal } from '../../trace/event.ts';
import { mesh } from '../topology/mesh.ts';
import { networkStateOf } from './network-state-of.ts';

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
