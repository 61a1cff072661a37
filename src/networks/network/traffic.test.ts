import { describe, expect, test } from 'vitest';
import { controller } from '../../../test/twins/networks/played-network.ts';
import { resolveSystem } from '../../system/resolve.ts';
import { linear } from '../topology/line.ts';
import { mesh } from '../topology/mesh.ts';
import { defineNetwork } from './define-network.ts';
import { BadNetwork } from './names.ts';
import { network } from './network.ts';

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
    const kinds = new Set(drawn(1).map((item) => (item.kind === 'act' ? item.action : '')));
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
