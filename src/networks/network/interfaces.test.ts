import { describe, expect, test } from 'vitest';
import { search } from 'culprit';
import {
  allPairsConnected,
  controllerBehavior,
  defineNetwork,
  isolation,
  may,
  mustNot,
  network,
  output,
  sessionAffinity,
  topologyFrom,
  vlanSlice,
} from 'culprit/networks';
import { Played } from '../../../test/twins/networks/played-network.ts';
import { resolveSystem } from '../../system/resolve.ts';

/** Two switches without a link. The server is at both; h1 is at the first, h2 at the second. */
const topology = topologyFrom({
  switches: [{ name: 's1' }, { name: 's2' }],
  stations: [
    { name: 'h1', switch: 's1', port: 1 },
    { name: 'h2', switch: 's2', port: 1 },
    { name: 'server', switch: 's1', port: 2 },
    { name: 'server.2', of: 'server', switch: 's2', port: 2 },
  ],
});

describe('a station with two interfaces', () => {
  test('gets and sends frames at both, with an address of each', async () => {
    const played = await Played.of(topology);
    for (const name of ['s1', 's2']) {
      await played.entry(name, { inPort: 1 }, 2);
      await played.entry(name, { inPort: 2 }, 1);
    }
    await played.does(played.net.ping('h1', 'server'), played.net.arp('h2', 'server.2'));
    expect(['server', 'server.2', 'h1', 'h2'].map((name) => played.received(name))).toEqual([2, 1, 0, 1]);
    await played.does(played.net.ping('server.2', 'h2'));
    expect(played.received('h2')).toBe(2);
  });

  test('moves one interface, with what that has received', async () => {
    const played = await Played.of(topology, { migrations: true });
    await played.entry('s2', { inPort: 1 }, 2);
    await played.does(played.net.ping('h2', 'server.2'), played.net.migrate('server.2', 's1'));
    await played.entry('s1', { inPort: 1 }, 3);
    await played.does(played.net.ping('h1', 'server.2'));
    expect([played.received('server'), played.received('server.2')]).toEqual([2, 2]);
  });

  test('does not talk to itself', () => {
    const net = network(topology);
    expect([net.toSelf().length, net.allToAll().length]).toEqual([4, 10]);
    const system = defineNetwork({ topology, controllers: {}, rounds: 200, traffic: { pings: 0.5 } });
    const { items } = resolveSystem(system).plan(1);
    const addresses = new Map(topology.stations.map(({ name, mac }) => [mac.replaceAll(':', ''), name]));
    const pairs = items.flatMap((item) => {
      if (item.kind !== 'send') return [];
      const { packet } = item.message as { readonly packet: string };
      return [[packet.slice(12, 24), packet.slice(0, 12)].map((mac) => addresses.get(mac)).join(' ')];
    });
    expect(new Set(pairs).size).toBe(10);
    expect(pairs.some((pair) => pair.startsWith('server') && pair.includes(' server'))).toBe(false);
  });
});

/** The fingerprints of what is wrong where every switch joins its two stations. */
async function violations(
  invariants: Parameters<typeof defineNetwork>[0]['invariants'],
): Promise<(string | undefined)[]> {
  const joining = controllerBehavior({
    start: () => ({}),
    connected(_state, at) {
      at.addFlow({ match: { inPort: 1 }, actions: [output(2)] });
      at.addFlow({ match: { inPort: 2 }, actions: [output(1)] });
    },
  });
  const system = defineNetwork({
    topology,
    controllers: { c1: joining },
    traffic: (net) => [...net.tcp('h1', 'server'), ...net.tcp('h2', 'server.2')],
    ...(invariants === undefined ? {} : { invariants }),
  });
  const { findings } = await search(system, { executions: 3 });
  return findings.map(({ trace: { verdict } }) => (verdict.verdict === 'violated' ? verdict.fingerprint : undefined));
}

describe('invariants', () => {
  const untilIdle = { persist: 'untilIdle' } as const;

  test('take both interfaces for one station', async () => {
    const rules = [may('h1', 'server'), may('h2', 'server'), may('server', 'h2'), mustNot('h1', 'h2')];
    expect(await violations({ pairs: allPairsConnected({ ...untilIdle, viaController: false }) })).toEqual([]);
    expect(await violations({ rules: isolation({ ...untilIdle, rules }) })).toEqual([]);
    expect(await violations({ slice: isolation({ rules: [vlanSlice(7, ['h1', 'h2', 'server'])] }) })).toEqual([]);
    expect(await violations({ affinity: sessionAffinity({ servers: ['server'] }) })).toEqual([]);
  });

  test('find what one of them does', async () => {
    expect(await violations({ rules: isolation({ rules: [mustNot('h2', 'server')] }) })).toEqual([
      'rules mustNot h2 server.2',
    ]);
    expect(await violations({ slice: isolation({ rules: [vlanSlice(7, ['h1', 'server'])] }) })).toEqual([
      'slice slice 7 server.2 h2',
    ]);
  });
});
