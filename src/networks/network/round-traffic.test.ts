import { describe, expect, test } from 'vitest';
import { controller } from '../../../test/twins/networks/played-network.ts';
import { resolveSystem } from '../../system/resolve.ts';
import { cut } from '../../system/externals.ts';
import { isPacing, type PlanItem } from '../../system/workload.ts';
import { fatTree } from '../topology/fat-tree.ts';
import { mesh } from '../topology/mesh.ts';
import { linear } from '../topology/line.ts';
import { defineNetwork, type NetworkDefinition } from './define-network.ts';
import { network, type Network } from './network.ts';
import { publishedFaults, type NetworkFaults } from './network-faults.ts';
import { publishedTraffic } from './round-traffic.ts';

/** The workload of one execution, without the starts. */
function drawn(
  definition: Partial<NetworkDefinition> & Pick<NetworkDefinition, 'topology'>,
  seed = 1,
): readonly PlanItem[] {
  const system = defineNetwork({ controllers: { c1: controller }, ...definition });
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
    const of = { topology: fatTree(4), rounds: 1000, traffic: publishedTraffic, faults: publishedFaults };
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
    const items = drawn({ topology: linear(2), rounds: 3, faults: rates });
    const rounds = ['crash crash cut crash', 'restart restart heal', 'crash crash cut'];
    expect(shown(items)).toEqual(rounds.flatMap((round) => round.split(' ')));
    // Without a rate, nothing recovers.
    expect(items.at(3)).toEqual({ kind: 'crash', process: 'c1' });
  });

  test('have the order of STS, and all kinds of traffic', () => {
    const items = drawn({
      topology: linear(2),
      controllers: { c1: controller, c2: controller },
      migrations: true,
      rounds: 1,
      traffic: { pings: 1, arps: 1, tcp: 1, udp: 1, migrations: 1 },
      faults: {
        channelBlock: 1,
        controlFailure: 1,
        linkFailure: 1,
        controllerPause: 1,
        controllerPartition: 1,
      },
    });
    const twice = (...kinds: string[]): string[] => kinds.flatMap((kind) => [kind, kind]);
    expect(shown(items)).toEqual([
      ...twice('cut', 'cut', 'control_failure'),
      'cut',
      ...twice('ping', 'arp', 'tcp', 'udp', 'pause', 'migrate'),
      'cut',
    ]);
    expect(items.at(-1)).toEqual(cut('c1', 'c2'));
  });

  test('without anything are one wait, at most as long as they last', () => {
    const items = drawn({ topology: mesh(3), rounds: 40, traffic: { pings: 0.1 } });
    const waits = items.filter((item) => item.kind === 'until');
    expect(waits.length).toBeGreaterThan(5);
    // They are no events of a trace.
    expect(waits.every(isPacing)).toBe(true);
    const ms = waits.reduce((sum, wait) => sum + ('withinMs' in wait ? (wait.withinMs ?? 0) : 0), 0);
    expect(ms % 100).toBe(0);
    expect(ms).toBeLessThan(4000);
    // Never two in a row.
    expect(items.some((item, at) => item.kind === 'until' && items[at + 1]?.kind === 'until')).toBe(false);
    expect(drawn({ topology: linear(1), rounds: 0 })).toEqual([]);
  });

  test('let each thing fail in one way at a time, and recover from it', () => {
    const once = (faults: NetworkFaults, rounds = 2): string[] =>
      shown(drawn({ topology: linear(1), controllers: { c1: controller, c2: controller }, rounds, faults }));
    expect(once({ channelBlock: 1, channelUnblock: 1 })).toEqual(['cut', 'cut', 'heal', 'heal']);
    expect(once({ channelReset: 1 })).toEqual(Array.from({ length: 4 }, () => 'channel_reset'));
    expect(once({ controlFailure: 1, controlRecovery: 1 })).toEqual(['control_failure', 'control_recovery']);
    expect(once({ powerFailure: 1, powerRecovery: 1 }, 3)).toEqual(['crash', 'restart', 'crash']);
    expect(once({ controllerFailure: 1, controllerRecovery: 1 })).toEqual(['crash', 'crash', 'restart', 'restart']);
    expect(once({ controllerPause: 1, controllerResume: 1 })).toEqual(['pause', 'pause', 'resume', 'resume']);
    expect(once({ controllerPartition: 1, controllerHeal: 1 })).toEqual(['cut', 'heal']);
    // A switch that has no channels is not switched off, and a controller that is down is not paused.
    const both = { controlFailure: 1, powerFailure: 1, controllerFailure: 1, controllerPause: 1 };
    expect(once(both, 5)).toEqual(['control_failure', 'crash', 'crash', 'until']);
  });

  test('stay within budgets, which the environment then does not spend itself', () => {
    const faults = {
      linkFailure: 1,
      linkRecovery: 1,
      partitions: 3,
      controlFailure: 1,
      controlFailures: 1,
      crashes: 1,
    };
    const of = { topology: linear(3), rounds: 20, faults };
    const items = drawn(of);
    expect([countOf(items, 'cut'), countOf(items, 'control_failure'), countOf(items, 'crash')]).toEqual([3, 1, 0]);
    const { declaration } = resolveSystem(defineNetwork({ ...of, controllers: { c1: controller } }));
    expect(declaration.faults).toMatchObject({ partitions: 0, crashes: 1, losses: 0, holds: 0 });
    const { declaration: lossy } = resolveSystem(
      defineNetwork({ topology: linear(3), controllers: {}, faults: { frameLoss: 0.1, frameDelay: 0.1, holds: 2 } }),
    );
    expect(lossy.faults).toMatchObject({ losses: Infinity, holds: 2 });
  });

  test('spread the items of a list', () => {
    const pings = (net: Network) => [net.toSelf(), net.random(3, { arps: 1 })];
    const of = { topology: linear(3), traffic: pings };
    const frames = Array.from({ length: 6 }, () => 'frame');
    expect(shown(drawn(of))).toEqual(frames);
    expect(shown(drawn({ ...of, rounds: 6 }))).toEqual(frames);
    const sparse = ['frame', 'until'];
    expect(shown(drawn({ ...of, rounds: 12 }))).toEqual(frames.flatMap(() => sparse));
    const failing = shown(drawn({ ...of, rounds: 3, faults: { controllerFailure: 1, controllerRecovery: 1 } }));
    expect(failing.join(' ')).toBe('frame frame crash frame frame restart frame frame crash');
    const listed = network(linear(2)).toSelf();
    expect(drawn({ topology: linear(2), traffic: listed, rounds: 2 })).toEqual(listed);
    expect(drawn({ ...of, faults: { frameLoss: 0.1 } })).toHaveLength(6);
  });

  test.each<[() => unknown, string]>([
    [() => network(mesh(3)).rounds(3, { traffic: { pings: 2 } }), 'a number from 0 to 1'],
    [() => network(mesh(3)).rounds(3, { traffic: { ping: 0.1 } as never }), 'did you mean pings?'],
    [() => network(mesh(3)).rounds(-1, {}), 'there are no -1 rounds.'],
    [() => network(linear(1)).rounds(1, { traffic: { pings: 0.1 } }), 'random traffic needs two stations.'],
    [() => network(mesh(3)).rounds(1, { traffic: { migrations: 0.1 } }), 'stations cannot move.'],
    [() => drawn({ topology: mesh(3), faults: { linkFailures: 0.1 } as never }), 'did you mean linkFailure?'],
    [() => drawn({ topology: mesh(3), faults: { frameLoss: 5 } }), 'frameLoss is a number from 0 to 1, not 5.'],
    [() => drawn({ topology: mesh(3), faults: { controllerPartition: 1 } }), 'controllers cannot be parted'],
    [() => drawn({ topology: mesh(3), faults: { tableDelay: 0.5 } }), 'flow_mods take effect at once'],
    [() => drawn({ topology: mesh(3), traffic: { linkFailure: 0.1 } as never }), 'linkFailure is no rate of traffic.'],
    [
      () => drawn({ topology: mesh(3), traffic: { rounds: 3 } as never }),
      'the number of rounds is no rate of traffic.',
    ],
  ])('that cannot be are refused', (make, message) => {
    expect(make).toThrow(message);
  });
});
