import { describe, expect, test } from 'vitest';
import { begunBy, type Subject } from '../../../test/twins/begun.ts';
import { declared } from '../../../test/twins/declared.ts';
import type { AnyBehavior, Context } from '../../kernel/behavior.ts';
import { act, crash, heal, send } from '../../system/externals.ts';
import { drive } from '../../kernel/drive.ts';
import type { Session } from '../../kernel/ports.ts';
import { until, untilDeliveries } from '../../system/workload.ts';
import type { World } from '../../kernel/world.ts';
import { hex } from '../../trace/digest.ts';
import type { External } from '../../trace/event.ts';
import { TrackedWorld, emptyReadSet } from '../../oracles/tracked-world.ts';
import { Worlds, type WorldsOptions } from './worlds.ts';

type Asked = Partial<Pick<WorldsOptions, 'order' | 'eventsMax' | 'worldsMax' | 'reads'>> & {
  readonly arrived?: (session: Session) => boolean | void;
};

interface Visited {
  readonly worlds: string[];
  readonly finished: string[];
  readonly lengths: number[];
}

async function explored(subject: Subject, { arrived = () => {}, ...asked }: Asked = {}) {
  let visited: Visited = { worlds: [], finished: [], lengths: [] };
  const search = new Worlds({
    ...begunBy(subject),
    order: 'breadth',
    eventsMax: Infinity,
    worldsMax: Infinity,
    reads: emptyReadSet(),
    ...asked,
    visitor: {
      startedOver: () => void (visited = { worlds: [], finished: [], lengths: [] }),
      arrived(session) {
        visited.worlds.push(hex(session.worldDigest(false)));
        visited.lengths.push(session.world.length);
        return arrived(session);
      },
      ended: (session) => visited.finished.push(hex(session.worldDigest(false))) > 0,
    },
  });
  await drive(search.run());
  return { visited, search };
}

interface State {
  count: number;
}

/** Counts ticks up to a number, and begins again. */
const ticking = (modulus: number, receive: (state: State, ctx: Context<unknown>) => void = () => {}): AnyBehavior => ({
  start(ctx) {
    ctx.repeatTimer('tick', 10);
    return { count: 0 };
  },
  receive: (state, _message, ctx) => receive(state as State, ctx),
  timer: (state) => void ((state as State).count = ((state as State).count + 1) % modulus),
});

const countOf = (session: Session): number | undefined =>
  (session.world.process('p').state as State | undefined)?.count;

describe('each world', () => {
  test('is explored once, although executions never end', async () => {
    const subject = { declaration: declared({ p: ticking(4), q: ticking(5) }), threads: [] };
    for (const order of ['breadth', 'depth'] as const) {
      const { search, visited } = await explored(subject, { order });
      expect([search.worlds, search.metAgain, search.isCutByEvents]).toEqual([20, 21, false]);
      expect(visited.finished).toEqual([]);
    }
  });

  test('is met after as few events as possible, breadth first', async () => {
    const subject = { declaration: declared({ p: ticking(3) }), threads: [[send('p', 0)], [send('p', 0)]] };
    const { visited } = await explored(subject);
    expect(visited.lengths).toEqual(visited.lengths.toSorted((one, other) => one - other));
  });

  test('is distinguished by how far the environment has come', async () => {
    const subject = {
      declaration: declared({ p: ticking(1) }),
      threads: [[send('p', 0)], [send('p', 0), send('p', 0)]],
    };
    // So many messages of the two threads have been sent, of which so many have arrived.
    expect((await explored(subject)).search.worlds).toBe(1 + 2 + 2 + 3 + 3 + 4);
  });

  test('is distinguished by how many deliveries the workload still waits for', async () => {
    // It passes the message on to itself, so that nothing changes by a delivery.
    const juggling: AnyBehavior = {
      start: () => ({}),
      receive: (_state, message, ctx) => ctx.send(ctx.self, message),
    };
    const thread = [send('p', 0), untilDeliveries(3), untilDeliveries(1), crash('p')];
    const { visited, search } = await explored({ declaration: declared({ p: juggling }), threads: [thread] });
    // Before the sending, then after 0, 1, 2 and 3 deliveries (where the first one comes from outside), and the end.
    expect([search.worlds, visited.finished.length, visited.lengths.at(-1)]).toEqual([6, 1, 6]);
  });

  test('is distinguished by a failure', async () => {
    const failing: AnyBehavior = {
      start: () => ({}),
      receive(_state, message) {
        throw new Error(String(message));
      },
    };
    // Either message is lost where the other one is the end of `p`.
    const subject = { declaration: declared({ p: failing }), threads: [[send('p', 'one')], [send('p', 'other')]] };
    for (const order of ['breadth', 'depth'] as const) {
      const failures = new Set<string>();
      const arrived = ({ world, recording }: Session): void => {
        const sent = recording.events.since(1).filter(({ kind }) => kind === 'send').length;
        if (world.failure !== undefined && sent === 2) failures.add((world.failure.error as Error).message);
      };
      await explored(subject, { order, arrived });
      expect([...failures].sort()).toEqual(['one', 'other']);
    }
  });

  test('is distinguished by what clients noted, but not by when', async () => {
    const noting = ticking(1, (_state, ctx) => ctx.history.return(ctx.history.call('get')));
    const both = { declaration: declared({ p: noting, q: ticking(2) }), threads: [[send('p', 0)]] };
    // Before the message is sent, before it arrives, and after; `q` has two counts.
    expect((await explored(both)).search.worlds).toBe(6);
    const twoCalls = (p: AnyBehavior): Subject => ({
      declaration: declared({ p }),
      threads: [[send('p', 'get')], [send('p', 'put')]],
    });
    const still: AnyBehavior = { start: () => ({}), receive() {} };
    const calling: AnyBehavior = { ...still, receive: (_state, message, ctx) => void ctx.history.call(message) };
    const [silent, noted] = [await explored(twoCalls(still)), await explored(twoCalls(calling))];
    expect([silent.visited.finished.length, noted.visited.finished.length]).toEqual([1, 2]);
  });
});

test('a world to which a shorter path turns up is explored from there, and only there', async () => {
  const slow = (world: World): External[] =>
    (world.process('p').state as State | undefined)?.count === 1 ? [] : [heal(), heal(), heal()];
  const declaration = declared({ p: ticking(2) }, { actions: new Map([['slow', slow]]) });
  for (const order of ['breadth', 'depth'] as const) {
    const { search } = await explored({ declaration, threads: [[act('slow')]] }, { order });
    // Two counts, before and after the action. Back to 0 it is a tick from 1, where the action takes one event.
    expect([order, search.worlds, search.metAgain]).toEqual([order, 4, 3]);
  }
});

describe('reads of the visitor', () => {
  const looking = (look: (world: TrackedWorld) => unknown) => {
    const reads = emptyReadSet();
    return { reads, arrived: ({ world }: Session) => void look(new TrackedWorld(world, reads)) };
  };
  const subject = { declaration: declared({ p: ticking(2) }), threads: [] };

  test.each([
    ['nothing', () => {}, 2],
    ['how many events there were', (world: TrackedWorld) => world.length, 6],
    ['when something was noted', (world: TrackedWorld) => world.operations(3), 6],
    ['what is pending', (world: TrackedWorld) => world.pending, 6],
    ['the last event', (world: TrackedWorld) => world.last, 6],
  ])('tells worlds apart: %s', async (_what, look, worlds) => {
    const { search, visited } = await explored(subject, { eventsMax: 6, ...looking(look) });
    // The start and five ticks, each another world. No world is visited twice, although the search started over.
    expect([search.worlds, visited.worlds.length, search.isCutByEvents]).toEqual([worlds, worlds, worlds > 2]);
  });

  test('a clock', async () => {
    const late = ticking(1, (state, ctx) => void (state.count = ctx.nowMs > 25 ? 9 : 0));
    const { visited, search } = await explored(
      { declaration: declared({ p: late }), threads: [[send('p', 0)]] },
      { eventsMax: 7, arrived: (session) => countOf(session) !== 9 },
    );
    // One start, three ticks, the sending and the delivery.
    expect([visited.lengths.at(-1), search.isCutByWorlds]).toEqual([6, false]);
  });

  test('a wait', async () => {
    const waits = until(({ length }) => length === 4);
    const { visited } = await explored(
      { declaration: declared({ p: ticking(1) }), threads: [[waits, crash('p')]] },
      { eventsMax: 7 },
    );
    expect(visited.finished.length).toBe(1);
  });
});

describe('bounds', () => {
  const subject = { declaration: declared({ p: ticking(10), q: ticking(10) }), threads: [] };

  test.each(['breadth', 'depth'] as const)('on worlds end the search: %s first', async (order) => {
    const counts = [99, 100].map(async (worldsMax) => {
      const { search, visited } = await explored(subject, { order, worldsMax });
      return [search.worlds, visited.worlds.length, search.isCutByWorlds, search.isCutByEvents];
    });
    expect(await Promise.all(counts)).toEqual([
      [99, 99, true, false],
      [100, 100, false, false],
    ]);
  });

  test.each(['breadth', 'depth'] as const)('on events cut only what is too far away: %s first', async (order) => {
    const counts = [5, 19, 20, 21].map(async (eventsMax) => {
      const { search } = await explored(subject, { order, eventsMax });
      return [search.worlds, search.isCutByEvents];
    });
    // Two starts; the farthest world is 18 ticks away, and is explored if that is below the bound.
    expect(await Promise.all(counts)).toEqual([
      [10, true],
      [99, true],
      [100, true],
      [100, false],
    ]);
  });
});

/** Keeps the last message. */
const keeping: AnyBehavior = {
  start: () => ({ count: 0 }),
  receive: (state, message) => void ((state as State).count = message as number),
};

test.each(['breadth', 'depth'] as const)('the visitor may say that it is enough: %s first', async (order) => {
  const subject = { declaration: declared({ p: keeping }), threads: [[send('p', 1)], [send('p', 2)], [send('p', 3)]] };
  expect((await explored(subject, { order })).visited.finished.length).toBe(3);
  for (const when of ['arrived', 'ended'] as const) {
    let visited = 0;
    const visitor = { arrived: () => true, ended: () => true, [when]: () => ++visited < 2 };
    const options = { ...begunBy(subject), order, eventsMax: 9, worldsMax: 99, reads: emptyReadSet(), visitor };
    await drive(new Worlds(options).run());
    expect(visited).toBe(2);
  }
});
