import { describe, expect, test } from 'vitest';
import { declared } from '../../../test/twins/declared.ts';
import type { AnyBehavior } from '../../kernel/behavior.ts';
import { noFaults, type Declaration } from '../../kernel/declaration.ts';
import { act, crash, send, start } from '../../system/externals.ts';
import { drive } from '../../kernel/drive.ts';
import type { Session } from '../../kernel/ports.ts';
import { Random } from '../../kernel/data/random.ts';
import { Simulation } from '../../kernel/simulation.ts';
import type { External, Internal } from '../../trace/event.ts';
import { Deepening } from './deepening.ts';
import { DepthFirst, type InterleavingEnding } from './depth-first.ts';

interface Subject {
  readonly declaration: Declaration;
  readonly threads: readonly (readonly External[])[];
}

interface Bounds {
  readonly eventsMax?: number;
  readonly preemptionsMax?: number;
}

const startsOf = ({ processes }: Declaration): External[] => [...processes.keys()].map((name) => start(name));

/** What happened, one word for each event after the starts. */
const words = ({ recording, world }: Session, starts: number): string =>
  recording.events
    .since(starts)
    .map((event) => `${event.process} ${event.kind} ${'message' in event ? JSON.stringify(event.message) : ''}`)
    .join(', ') + (world.failure === undefined ? '' : '!');

const beginningOf = ({ declaration, threads }: Subject) => ({
  open: () => Simulation.open(declaration, 0),
  first: startsOf(declaration),
  environment: {
    threads: threads.map((items, at) => ({ name: `thread ${at}`, items })),
    tampers: declaration.faults.losses > 0,
  },
});

/** Everything that the visitor gets: worlds by their paths, and ends. */
async function explored(subject: Subject, bounds: Bounds = {}, by?: number) {
  const starts = subject.declaration.processes.size;
  const arrived: string[] = [];
  const ends: Record<InterleavingEnding, string[]> = { finished: [], bound: [], preempted: [] };
  const options = {
    ...beginningOf(subject),
    eventsMax: Infinity,
    ...bounds,
    visitor: {
      arrived: (session: Session) => void arrived.push(words(session, starts)),
      ended(session: Session, ending: InterleavingEnding) {
        ends[ending].push(words(session, starts));
        return true;
      },
    },
  };
  await drive((by === undefined ? new DepthFirst(options) : new Deepening({ ...options, by })).run());
  return { arrived, ...ends };
}

/** Every execution within the bounds, each prefix from the start: slow and obvious. */
async function everyOrder(subject: Subject, { eventsMax = Infinity, preemptionsMax = Infinity }: Bounds = {}) {
  const { open, first } = beginningOf(subject);
  const visited = {
    arrived: [] as string[],
    finished: [] as string[],
    bound: [] as string[],
    preempted: [] as string[],
  };
  const advance = async (steps: readonly (Internal | External)[], turns: readonly string[], used: number) => {
    const session = open();
    for (const step of [...first, ...steps]) await session.perform(step);
    const text = words(session, first.length);
    visited.arrived.push(text);
    const nexts = subject.threads.flatMap((items) => {
      const next = items.find((item) => !steps.includes(item));
      return next === undefined || session.refusal(next) !== undefined ? [] : [next];
    });
    const faults = session.faults();
    const all = [...session.enabled, ...nexts, ...faults];
    if (all.length === 0) visited.finished.push(text);
    else if (session.world.length >= eventsMax) visited.bound.push(text);
    else {
      const last = turns.at(-1);
      const isLeft = session.enabled.some(({ process }) => process === last);
      const costs = all.map((step) => ('hi' in step && isLeft && step.process !== last ? 1 : 0));
      if (costs.some((cost) => used + cost > preemptionsMax)) visited.preempted.push(text);
      for (const [at, step] of all.entries()) {
        const now = used + (costs[at] as number);
        if (now <= preemptionsMax)
          await advance([...steps, step], 'hi' in step ? [...turns, step.process] : turns, now);
      }
    }
  };
  await advance([], [], 0);
  return visited;
}

const sorted = (visited: Awaited<ReturnType<typeof explored>>) =>
  Object.fromEntries(Object.entries(visited).map(([what, texts]) => [what, texts.toSorted()]));

const sink: AnyBehavior = { start: () => ({}), receive() {} };

/** Says something to itself, so many times. */
const talker = (times: number): AnyBehavior => ({
  start(ctx) {
    for (let at = 0; at < times; at++) ctx.send(ctx.self, at);
    return {};
  },
  receive() {},
});

const talkers = (...times: readonly number[]): Subject => ({
  declaration: declared(Object.fromEntries(times.map((count, at) => [`p${at}`, talker(count)]))),
  threads: [],
});

/** Messages that make others, a timer, a crash, and a message that may get lost. */
function someSystem(seed: number, awaits: boolean): Subject {
  const random = Random.seeded(seed, 5);
  const names = ['a', 'b', 'c'];
  const says = new Map(names.map((name) => [name, [0, 1].map(() => random.below(4))]));
  const process: AnyBehavior = {
    start(ctx) {
      if (ctx.self === 'a') ctx.setTimer('t', 5);
      return {};
    },
    receive(_state, message, ctx) {
      const to = names[says.get(ctx.self)?.[message as number] as number];
      const say = (): void => {
        if (to !== undefined && message !== 0) ctx.send(to, 0);
      };
      return awaits ? Promise.resolve(ctx.sleep(1)).then(say) : say();
    },
    timer: (_state, _timer, ctx) => ctx.send('b', 0),
  };
  const faults = { ...noFaults, losses: random.below(3) === 0 && !awaits ? 1 : 0 };
  const declaration = declared({ a: process, b: process, c: process }, { faults });
  const threads = [[send(random.pick(names), 1)], random.below(2) === 0 ? [crash(random.pick(names))] : []];
  return { declaration, threads };
}

describe('every order', () => {
  test('of what is independent is tried', async () => {
    const counts = [
      [1, 1],
      [1, 1, 1, 1],
      [2, 2, 2],
      [3, 4],
    ].map(async (times) => {
      const { finished, arrived, bound, preempted } = await explored(talkers(...times));
      expect([new Set(finished).size, new Set(arrived).size]).toEqual([finished.length, arrived.length]);
      return [finished.length, arrived.length, bound.length, preempted.length];
    });
    // 2!, 4!, 6! / 2!^3 and 7! / 3! 4! of them.
    expect(await Promise.all(counts)).toEqual([
      [2, 5, 0, 0],
      [24, 65, 0, 0],
      [90, 271, 0, 0],
      [35, 125, 0, 0],
    ]);
  });

  test.each([false, true])('is what one gets by trying them, each from the start; code awaits: %s', async (awaits) => {
    for (let seed = 0; seed < 6; seed++) {
      const subject = someSystem(seed, awaits);
      expect(sorted(await explored(subject))).toEqual(sorted(await everyOrder(subject)));
      const bounds = { eventsMax: 5 + (seed % 3), preemptionsMax: seed % 2 };
      expect(sorted(await explored(subject, bounds))).toEqual(sorted(await everyOrder(subject, bounds)));
    }
  });

  test('ends at the bound on events, where anything is left', async () => {
    // The starts are three of the events.
    const { finished, bound } = await explored(talkers(2, 2, 2), { eventsMax: 5 });
    expect([finished.length, bound.length]).toEqual([0, 9]);
    const whole = await explored(talkers(1, 1, 0), { eventsMax: 5 });
    expect([whole.finished.length, whole.bound.length]).toEqual([2, 0]);
  });
});

describe('the bound on preemptions', () => {
  test.each([
    // Words of aabbcc by how often a letter is left that comes again: 6, 18, 36 and 30 of them.
    [0, 6],
    [1, 24],
    [2, 60],
    [3, 90],
  ])('of %i leaves so many executions', async (preemptionsMax, executions) => {
    const { finished } = await explored(talkers(2, 2, 2), { preemptionsMax });
    expect(finished.length).toBe(executions);
  });

  test('does not hold the environment back', async () => {
    const subject = { ...talkers(2, 1), threads: [[crash('p1')]] };
    const { finished } = await explored(subject, { preemptionsMax: 0 });
    expect(finished.toSorted()).toEqual(sorted(await everyOrder(subject, { preemptionsMax: 0 }))['finished']);
    // But after it, the process that ran before still runs.
    expect(finished).toContain('p0 deliver 0, p1 crash , p0 deliver 1');
    const back = await explored({ ...talkers(2, 1), threads: [[send('p1', 7)]] }, { preemptionsMax: 0 });
    expect(back.finished.some((text) => text.startsWith('p0 deliver 0, environment send 7, p1'))).toBe(false);
  });
});

describe('deepening', () => {
  test.each([1, 2, 5])('by %i tells of everything once', async (by) => {
    for (let seed = 3; seed < 6; seed++) {
      const subject = someSystem(seed, seed === 5);
      for (const bounds of [{}, { eventsMax: 6 }, { preemptionsMax: 0 }, { eventsMax: 6, preemptionsMax: 1 }])
        expect(sorted(await explored(subject, bounds, by))).toEqual(sorted(await explored(subject, bounds)));
    }
  });

  test('tells once of what an action brings about', async () => {
    const actions = new Map([['twice', (): External[] => [send('p0', 8), send('p0', 9)]]]);
    const { declaration } = talkers(1, 1);
    const subject = { declaration: { ...declaration, actions }, threads: [[act('twice')]] };
    expect(sorted(await explored(subject, {}, 1))).toEqual(sorted(await explored(subject)));
  });

  test('comes to what takes fewer events first', async () => {
    const { arrived } = await explored(talkers(3, 3), {}, 1);
    const lengths = arrived.map((text) => text.split(', ').length);
    expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
  });

  test('ends although executions do not', async () => {
    const ticking: AnyBehavior = {
      ...sink,
      start(ctx) {
        ctx.repeatTimer('tick', 1);
        return {};
      },
    };
    const subject = { declaration: declared({ p: ticking }), threads: [] };
    const { finished, bound, arrived } = await explored(subject, { eventsMax: 10 }, 3);
    expect([finished.length, bound.length, arrived.length]).toEqual([0, 1, 10]);
  });
});

test.each(['arrived', 'ended'] as const)('%s may say that it is enough', async (when) => {
  for (const by of [undefined, 1]) {
    let visited = 0;
    const visitor = { arrived: () => true, ended: () => true, [when]: () => ++visited < 3 };
    const options = { ...beginningOf(talkers(2, 2)), eventsMax: Infinity, visitor };
    await drive((by === undefined ? new DepthFirst(options) : new Deepening({ ...options, by })).run());
    expect(visited).toBe(3);
  }
});
