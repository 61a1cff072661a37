import { describe, expect, test } from 'vitest';
import { controller } from '../../../test/twins/networks/played-network.ts';
import { resolveSystem } from '../../system/resolve.ts';
import type { PlanItem } from '../../system/workload.ts';
import { fatTree } from '../topology/fat-tree.ts';
import { mesh } from '../topology/mesh.ts';
import { linear } from '../topology/line.ts';
import { defineNetwork, type NetworkDefinition } from './define-network.ts';
import { network } from './network.ts';
import { publishedRates } from './round-traffic.ts';

/** The workload of one execution, without the starts. */
function drawn(definition: Omit<NetworkDefinition, 'controllers'>, seed = 1): readonly PlanItem[] {
  const system = defineNetwork({ ...definition, controllers: { c1: controller } });
  return resolveSystem(system)
    .plan(seed)
    .items.filter(({ kind }) => kind !== 'start');
}

/** Short names of items. */
const shown = (items: readonly PlanItem[]): string[] =>
  items.map((item) => {
    if (item.kind === 'act') return item.action;
    if (item.kind !== 'send') return item.kind;
    const { type } = item.message as { readonly type: string };
    return type;
  });

const countOf = (items: readonly PlanItem[], what: string): number =>
  shown(items).filter((name) => name === what).length;

describe('rounds', () => {
  test('have what their rates say, the same for a seed and different for another', () => {
    const of = { topology: fatTree(4), traffic: { rounds: 1000, ...publishedRates } };
    const items = drawn(of);
    // 16 stations, 32 links, 20 switches.
    expect(Math.round(countOf(items, 'frame') / 160)).toBe(8);
    // Per thousand: less than the rate, since what has failed does not fail again before it recovers.
    expect([4, 5]).toContain(Math.round(countOf(items, 'cut') / 32));
    expect([4, 5]).toContain(Math.round(countOf(items, 'control_failure') / 20));
    expect(drawn(of)).toEqual(items);
    expect(drawn(of, 2)).not.toEqual(items);
  });

  test('let things recover that have failed, and fail again', () => {
    const rates = { linkFailure: 1, linkRecovery: 1, powerFailure: 1, powerRecovery: 1, controllerFailure: 1 };
    const items = drawn({ topology: linear(2), traffic: { rounds: 3, ...rates } });
    const rounds = ['crash crash cut crash', 'restart restart heal', 'crash crash cut'];
    expect(shown(items)).toEqual(rounds.flatMap((round) => round.split(' ')));
    // Without a rate, nothing recovers.
    expect(items.at(3)).toEqual({ kind: 'crash', process: 'c1' });
  });

  test('have the order of STS, and all kinds of traffic', () => {
    const rates = {
      pings: 1,
      arps: 1,
      tcp: 1,
      udp: 1,
      migrations: 1,
      channelBlock: 1,
      linkFailure: 1,
      controllerFailure: 1,
    };
    const items = drawn({ topology: linear(2), migrations: true, channelCuts: true, traffic: { rounds: 1, ...rates } });
    const twice = ['ping', 'arp', 'tcp', 'udp'].flatMap((kind) => [kind, kind]);
    expect(shown(items)).toEqual(['cut', 'cut', 'cut', ...twice, 'crash', 'migrate', 'migrate']);
  });

  test('without anything are one wait, at most as long as they last', () => {
    const items = drawn({ topology: mesh(3), traffic: { rounds: 40, pings: 0.1 } });
    const waits = items.filter((item) => item.kind === 'until');
    expect(waits.length).toBeGreaterThan(5);
    const ms = waits.reduce((sum, wait) => sum + ('withinMs' in wait ? (wait.withinMs ?? 0) : 0), 0);
    expect(ms % 100).toBe(0);
    expect(ms).toBeLessThan(4000);
    // Never two in a row.
    expect(items.some((item, at) => item.kind === 'until' && items[at + 1]?.kind === 'until')).toBe(false);
    expect(drawn({ topology: linear(1), traffic: { rounds: 0 } })).toEqual([]);
  });

  test.each<[() => unknown, string]>([
    [() => network(mesh(3)).rounds(3, { pings: 2 }), 'a number from 0 to 1'],
    [() => network(mesh(3)).rounds(3, { ping: 0.1 } as never), 'did you mean pings?'],
    [() => network(mesh(3)).rounds(-1, {}), 'there are no -1 rounds.'],
    [() => network(linear(1)).rounds(1, { pings: 0.1 }), 'random traffic needs two stations.'],
    [() => network(mesh(3)).rounds(1, { migrations: 0.1 }), 'stations cannot move.'],
    [() => network(mesh(3)).rounds(1, { channelBlock: 0.1 }), 'channels cannot be blocked.'],
  ])('that cannot be are refused', (make, message) => {
    expect(make).toThrow(message);
  });
});
