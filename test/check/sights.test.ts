import { behavior, check, defineSystem, send, type Context } from 'culprit';
import type { SearchName, World } from 'culprit/kernel';
import { describe, expect, test } from 'vitest';
import { looks, sights, type Asker, type Showing } from '../twins/sights.ts';

/** Random systems with ten to a hundred orders each, with their kinds interleaved. */
const systems: readonly (readonly [Showing, number])[] = [
  ['messages', 4],
  ['crashes', 25],
  ['timers', 25],
  ['spawns', 29],
  ['awaits', 1],
  ['stops', 5],
  ['messages', 18],
  ['refusals', 8],
  ['waits', 0],
  ['cuts', 2],
  ['messages', 27],
  ['maps', 18],
  ['timers', 9],
  ['awaits', 24],
  ['crashes', 2],
  ['messages', 12],
  ['spawns', 25],
];

const SYSTEMS_EACH = 4;

type Case = readonly [look: string, asker: Asker, feature: Showing, seed: number];

const byInvariants = Object.keys(looks).flatMap((look, at) =>
  Array.from({ length: SYSTEMS_EACH }, (_, nth): Case => {
    const system = systems[(at * SYSTEMS_EACH + nth) % systems.length] as readonly [Showing, number];
    return [look, 'invariant', ...system];
  }),
);

const byOthers = Object.keys(looks)
  .filter((look) => look.includes('last') || look.includes('count'))
  .flatMap((look, at) =>
    (['end', 'sampled', 'oracle'] as const).map((asker, nth): Case => {
      const system = systems[(3 * at + 5 * nth) % systems.length] as readonly [Showing, number];
      return [look, asker, ...system];
    }),
  );

/** An invariant that holds was asked about every world, as far as it can distinguish worlds. */
describe('a check sees every view that any order shows', () => {
  test.each([...byInvariants, ...byOthers])('%s, asked as %s: %s %i', async (look, asker, feature, seed) => {
    const every = await sights([feature, seed], look, asker, { search: 'depth' });
    const other = (['worlds', 'blackbox', 'mixed', 'blackbox-race-reversal'] as const)[seed % 4] as SearchName;
    for (const search of ['dpor', 'race-reversal', other] as const) {
      const { report, seen } = await sights([feature, seed], look, asker, { search });
      expect({ search, verdict: report.verdict, seen }).toEqual({ search, verdict: 'holds', seen: every.seen });
    }
  });
});

/**
 * Two events that are independent except for an invariant, which reads the second only while the first is under way. A
 * search that performs the first one at once has only seen the second one as it was before.
 */
describe('a read that lasts for a moment', () => {
  type State = Record<string, unknown>;
  const counter = behavior<{ n: number }, string>({
    start: () => ({ n: 0 }),
    receive(state) {
      state.n += 1;
    },
  });
  const mapOf = (state: State): Map<string, number> =>
    state instanceof Map ? (state as Map<string, number>) : new Map<string, number>();
  const isThere = (world: World): boolean => {
    try {
      return world.process('b/child-1').name !== '';
    } catch {
      return false;
    }
  };

  test.each<[string, (state: State, ctx: Context<string>) => void, (world: World, state: State) => unknown]>([
    ['a field', (state) => (state['x'] = 2), (_world, { x }) => x],
    ['a field that was not there', (state) => (state['z'] = 1), (_world, { z }) => z],
    ['which fields there are', (state) => (state['z'] = 1), (_world, state) => Object.keys(state)],
    ['which fields are left', (state) => delete state['y'], (_world, state) => Reflect.ownKeys(state).length],
    ['whether there is a field', (state) => (state['z'] = undefined), (_world, state) => 'z' in state],
    ['whether there is one of its own', (state) => (state['z'] = 1), (_world, state) => Object.hasOwn(state, 'z')],
    ['what a copy has', (state) => (state['z'] = 1), (_world, state) => ({ ...state })],
    ['the order of fields', (state) => [delete state['x'], (state['x'] = 1)], (_world, state) => Object.keys(state)],
    ['a list', (state) => (state['list'] as number[]).push(1), (_world, { list }) => list],
    ['a set', (state) => (state['set'] as Set<number>).add(2), (_world, { set }) => [...(set as Set<number>)]],
    ['a deep one', (state) => (state['deep'] = { in: { it: 2 } }), (_world, { deep }) => deep],
    ['a state that is a map', (state) => mapOf(state).set('x', 2), (_world, state) => [...mapOf(state)]],
    ['a disk', (_state, ctx) => void ctx.disk.write('x', 1), (world) => world.process('b').disk.size],
    ['who is up', (_state, ctx) => ctx.spawn('child'), (world) => world.up().length],
    ['who is up of a kind', (_state, ctx) => ctx.spawn('child'), (world) => world.up(child).length],
    ['whether somebody is there', (_state, ctx) => ctx.spawn('child'), isThere],
    ['operations', (_state, ctx) => ctx.history.call('x'), (world) => world.operations().length],
    ['the last event', () => undefined, (world) => world.last?.process],
    ['how many events', () => undefined, (world) => world.length],
    ['what is pending', () => undefined, (world) => world.pending.length],
  ])('%s', async (what, act, look) => {
    const b = behavior<State, string>({
      start: () =>
        what.endsWith('a map')
          ? (new Map([['x', 1]]) as unknown as State)
          : { x: 1, y: 1, list: [], set: new Set([1]), deep: { in: { it: 1 } } },
      receive: (state, _message, ctx) => act(state, ctx),
    });
    const seenBy = async (search: SearchName): Promise<string[]> => {
      const seen = new Set<string>();
      const system = defineSystem({
        processes: { a: counter, b },
        kinds: { child: () => child },
        workload: [send('a', 'go'), send('a', 'go'), send('b', 'go')],
        invariants: {
          see(world) {
            if (world.process('a').state?.n === 1)
              seen.add(JSON.stringify(look(world as unknown as World, world.process('b').state ?? {})));
            return true;
          },
        },
      });
      await check(system, { search, violations: 100 });
      return [...seen].toSorted();
    };
    const all = await seenBy('depth');
    expect(all.length).toBeGreaterThan(1);
    for (const search of ['dpor', 'race-reversal', 'mixed', 'blackbox', 'worlds', 'breadth'] as const)
      expect([search, await seenBy(search)]).toEqual([search, all]);
  });
});

test('the first to join is seen if all processes are listed', async () => {
  const parent = behavior<object, string>({
    start: () => ({}),
    receive: (_state, _message, ctx) => void ctx.spawn('child'),
  });
  const seenBy = async (search: SearchName): Promise<string[]> => {
    const seen = new Set<string>();
    const system = defineSystem({
      processes: { a: parent, b: parent },
      kinds: { child: () => child },
      workload: [send('a', 'go'), send('b', 'go')],
      invariants: {
        see: (world) =>
          seen.add(
            world
              .up()
              .map(({ name }) => name)
              .join(),
          ).size > 0,
      },
    });
    await check(system, { search });
    return [...seen].toSorted();
  };
  const all = await seenBy('depth');
  expect(all).toContain('a,b,b/child-1,a/child-1');
  for (const search of ['dpor', 'race-reversal', 'worlds'] as const) expect(await seenBy(search)).toEqual(all);
});

const child = behavior<object, string>({ start: () => ({}), receive() {} });
