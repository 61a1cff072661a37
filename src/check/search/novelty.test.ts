import { describe, expect, test } from 'vitest';
import { begun } from '../../../test/twins/begun.ts';
import { deeds, type Feature, type RandomSystem } from '../../../test/twins/deeds.ts';
import { declared } from '../../../test/twins/declared.ts';
import { everyWorld } from '../../../test/twins/every-world.ts';
import { onRandomSystems } from '../../../test/twins/on-random-systems.ts';
import type { AnyBehavior } from '../../kernel/behavior.ts';
import { noFaults, type Declaration } from '../../kernel/declaration.ts';
import { send } from '../../system/externals.ts';
import type { Session } from '../../kernel/ports.ts';
import { hex } from '../../trace/digest.ts';
import type { Event } from '../../trace/event.ts';
import { TrackedWorld, emptyReadSet, type ReadSet } from '../../oracles/tracked-world.ts';
import { DepthFirst } from './depth-first.ts';
import { Novelty } from './novelty.ts';

const NODES_MAX = 250;
const WORLDS_MAX = 150;

interface Visited {
  readonly worlds: Set<string>;
  /** Where executions ended by themselves. */
  readonly ends: Set<string>;
  readonly endings: string[];
  readonly executions: (readonly Event[])[];
}

interface Asked {
  readonly eventsMax?: number;
  readonly reads?: ReadSet;
  readonly arrived?: (session: Session) => void;
  readonly isFamiliar?: (event: Event['kind']) => boolean;
  readonly executionsMax?: number;
}

async function explored({ declaration, scripts }: RandomSystem, asked: Asked = {}): Promise<Visited> {
  const { eventsMax = 1_000, reads = emptyReadSet(), executionsMax = Number.POSITIVE_INFINITY } = asked;
  const visited: Visited = { worlds: new Set(), ends: new Set(), endings: [], executions: [] };
  const search = new Novelty({
    ...begun(declaration, scripts),
    eventsMax,
    reads,
    visitor: {
      arrived(session) {
        visited.worlds.add(hex(session.worldDigest(false)));
        asked.arrived?.(session);
      },
      familiarBy: (_session, { step }) => (asked.isFamiliar?.(step.kind) === true ? 'some rule' : undefined),
      ended(session, ending) {
        visited.endings.push(ending);
        visited.executions.push(session.recording.events.since(0));
        if (ending === 'finished') visited.ends.add(hex(session.worldDigest()));
        return visited.endings.length < executionsMax;
      },
    },
  });
  for (const pause of search.run()) if (pause !== undefined) await pause;
  return visited;
}

const sorted = (names: Iterable<string>): string[] => [...names].sort();

describe('every world is met', () => {
  test.each<[Feature, number, number]>([
    ['messages', 30, 15],
    ['timers', 30, 15],
    ['crashes', 30, 5],
    ['stops', 20, 4],
    ['cuts', 20, 4],
    ['waits', 30, 5],
    ['refusals', 40, 5],
    ['awaits', 30, 5],
  ])('in which executions end: %s', async (feature, seeds, few) => {
    const compared = await onRandomSystems(feature, { seeds, nodesMax: NODES_MAX }, async (system, all, seed) => {
      const { ends } = await explored(system);
      expect({ seed, ends: sorted(ends) }).toEqual({ seed, ends: sorted(all.worlds) });
    });
    expect(compared).toBeGreaterThan(few);
  });

  test.each<[string, Partial<Declaration['faults']>, number]>([
    ['crashes', { crashes: 1 }, 5],
    ['crashes and restarts', { crashes: 1, restarts: 1 }, 4],
    ['cuts', { partitions: 1 }, 5],
    ['losses and copies', { losses: 1, duplicates: 1 }, 5],
  ])('with faults by chance: %s', async (_name, faults, few) => {
    let compared = 0;
    for (let seed = 0; seed < 60; seed++) {
      const { declaration, scripts } = deeds('messages', seed);
      const system = { declaration: { ...declaration, faults: { ...noFaults, ...faults } }, scripts };
      const all = everyWorld(system.declaration, scripts, WORLDS_MAX);
      if (all === undefined) continue;
      compared += 1;
      const met = await explored(system);
      // Scripts that have come less far show in what is there: nothing they do is without a trace.
      const withoutScripts = (names: Iterable<string>): string[] =>
        sorted(new Set([...names].map((name) => name.split(' ')[0] as string)));
      expect({ seed, worlds: sorted(met.worlds) }).toEqual({ seed, worlds: withoutScripts(all.worlds) });
      expect({ seed, ends: sorted(met.ends) }).toEqual({ seed, ends: withoutScripts(all.ends) });
    }
    expect(compared).toBeGreaterThan(few);
  });
});

/** Keeps each text, and forwards it to the process that the message names. */
const passing: AnyBehavior = {
  start: () => ({ got: [] as string[] }),
  receive(state, message, ctx) {
    const { text, to } = message as { text: string; to?: string };
    (state as { got: string[] }).got.push(text);
    if (to !== undefined) ctx.send(to, { text });
  },
};

const system = (faults: Partial<Declaration['faults']> = {}): RandomSystem => ({
  declaration: declared({ p: passing, q: passing }, { faults: { ...noFaults, ...faults } }),
  scripts: [{ name: 'workload', items: [send('p', { text: 'one', to: 'q' }), send('q', { text: 'two' })] }],
});

const stories = ({ executions }: Visited): string[] =>
  executions.map((events) =>
    events
      .slice(2)
      .filter(({ kind }) => kind !== 'send')
      .map((event) =>
        event.kind === 'deliver' ? `${event.process} ${(event.message as { text: string }).text}` : event.kind,
      )
      .join(', '),
  );

describe('what comes first', () => {
  test('is the execution in which the oldest event comes first, without faults', async () => {
    const met = await explored(system({ crashes: 2, restarts: 2 }), { executionsMax: 1 });
    expect(stories(met)).toEqual(['p one, q one, q two']);
  });

  test('is then what happens before something that has waited longer, if others have to come along', async () => {
    // The second message to q has to be sent before it can overtake the first.
    const orders = stories(await explored(system()));
    expect(orders.slice(0, 2)).toEqual(['p one, q one, q two', 'p one, q two, q one']);
    // What makes no difference comes last.
    expect(orders.at(-1)).toBe('q two, p one, q one');
  });

  test('is what is not familiar; but nothing is left out', async () => {
    const faults = { crashes: 1, restarts: 1 };
    const [plain, met] = [
      await explored(system(faults)),
      await explored(system(faults), { isFamiliar: (kind) => kind === 'crash' }),
    ];
    const firstCrash = (one: Visited): number => stories(one).findIndex((text) => text.includes('crash'));
    expect([firstCrash(plain), firstCrash(met)]).toEqual([1, 2]);
    expect(sorted(met.worlds)).toEqual(sorted(plain.worlds));
  });
});

describe('bounds', () => {
  test('an execution that is longer than allowed ends with the bound', async () => {
    const { endings } = await explored(system(), { eventsMax: 4 });
    expect(new Set(endings)).toEqual(new Set(['bound']));
    expect(new Set((await explored(system(), { eventsMax: 7 })).endings)).toEqual(new Set(['finished']));
  });

  test('an execution that is quiet at the bound is reported as finished, too', async () => {
    // Two starts, two sendings and three deliveries; then there might be a crash.
    expect((await explored(system({ crashes: 1 }), { eventsMax: 7 })).endings.slice(0, 2)).toEqual([
      'finished',
      'bound',
    ]);
  });

  test('the visitor may say that it is enough', async () => {
    expect((await explored(system({ crashes: 1 }), { executionsMax: 2 })).endings.length).toBe(2);
  });
});

test('worlds that an oracle distinguishes are not equal', async () => {
  const reads = emptyReadSet();
  const plain = await explored(system({ crashes: 1 }));
  const looked = await explored(system({ crashes: 1 }), {
    reads,
    arrived: ({ world }) => void new TrackedWorld(world, reads).last,
  });
  expect(looked.endings.length).toBeGreaterThan(plain.endings.length);
});

describe('if an oracle reads the pending events, every order is tried, and none twice', () => {
  test.each<[Feature, number, number]>([
    ['messages', 30, 10],
    ['timers', 20, 5],
    ['awaits', 20, 3],
  ])('%s', async (feature, seeds, few) => {
    const limits = { seeds, nodesMax: ORDERS_OF_NODES_MAX };
    const compared = await onRandomSystems(feature, limits, async (random, _all, seed) => {
      const { endings, executions } = await explored(random, { reads: { ...emptyReadSet(), pending: true } });
      const orders = executions.filter((_events, at) => endings[at] === 'finished').map(orderOf);
      expect({ seed, orders: sorted(orders) }).toEqual({ seed, orders: sorted(await everyOrder(random)) });
    });
    expect(compared).toBeGreaterThan(few);
  });
});

/** Small enough to try every order of its events. */
const ORDERS_OF_NODES_MAX = 60;

const orderOf = (events: readonly Event[]): string => events.map((event) => hex(event)).join(' ');

async function everyOrder({ declaration, scripts }: RandomSystem): Promise<string[]> {
  const orders: string[] = [];
  const ended = (session: Session): boolean => orders.push(orderOf(session.recording.events.since(0))) > 0;
  const search = new DepthFirst({
    ...begun(declaration, scripts),
    eventsMax: 1_000,
    visitor: { arrived: () => true, ended },
  });
  for (const pause of search.run()) if (pause !== undefined) await pause;
  return orders;
}
