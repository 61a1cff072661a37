import { describe, expect, test } from 'vitest';
import { declared } from '../../test/twins/declared.ts';
import { drive } from '../kernel/drive.ts';
import type { AnyBehavior, Context } from '../kernel/behavior.ts';
import { noFaults, type Declaration } from '../kernel/declaration.ts';
import { act, heal, send, start as startOf } from '../system/externals.ts';
import type { Oracle, Session } from '../kernel/ports.ts';
import { Simulation } from '../kernel/simulation.ts';
import type { World } from '../kernel/world.ts';
import type { Event, External } from '../trace/event.ts';
import { HOLDS, type Verdict } from '../trace/verdict.ts';
import { TrackedWorld, emptyReadSet } from '../oracles/tracked-world.ts';
import { shorter, type Shorter, type ShorterOptions } from './shorter-execution.ts';
import { ExternalMultiset } from './external-multiset.ts';

interface Counted {
  n: number;
}

type Handler = (state: Counted, ctx: Context<unknown>) => void | Promise<void>;

/** Counts ticks, and does something about each message. */
const counter = (receive: Handler, timer: Handler = (state) => void (state.n += 1)): AnyBehavior => ({
  start(ctx) {
    ctx.repeatTimer('tick', 10);
    return { n: 0 };
  },
  receive: (state, _message, ctx) => receive(state as Counted, ctx),
  timer: (state, _timer, ctx) => timer(state as Counted, ctx),
});

const idle = (): void => {};
const later: Handler = async (state, ctx) => {
  await ctx.sleep(1);
  state.n += 1;
};

const system = (p: AnyBehavior, more: Partial<Declaration> = {}): Declaration => declared({ p }, more);

const violated = (isBug: boolean): Verdict =>
  isBug ? { kind: 'violated', oracle: 'bug', message: 'bug', processes: [], fingerprint: 'bug' } : HOLDS;

const judging = (isBug: (world: World) => boolean): Oracle => ({ judge: (world) => violated(isBug(world)) });
const countOf = (world: World): number | undefined => (world.process('p').state as Counted | undefined)?.n;
const counted = (n: number): Oracle => judging((world) => countOf(world) === n);

/** The externals as if each had happened. */
const events = (externals: readonly External[]): Event[] => {
  const occurrence = { process: 'environment', cause: -1, hi: 0, lo: 0 };
  return externals.map((external) => ({ ...occurrence, ...external }));
};

interface Asked extends Partial<ShorterOptions> {
  readonly oracle: Oracle;
  readonly eventsMax: number;
  readonly externals?: readonly External[];
}

async function ask(
  declaration: Declaration,
  { externals = [], ...more }: Asked,
): Promise<{ answer: Shorter; worlds: number }> {
  let worlds = 0;
  const looks = emptyReadSet();
  const actions = new Map(
    [...declaration.actions].map(([name, action]) => [
      name,
      (world: World, payload: never) => action(new TrackedWorld(world, looks), payload),
    ]),
  );
  const open = (): Session => Simulation.open({ ...declaration, actions }, 1);
  const available = new ExternalMultiset(events([startOf('p'), ...externals]));
  const mayVisit = (): boolean => ++worlds < 10_000;
  const options = { open, looks, available, isSame: () => true, onOther: () => {}, mayVisit, ...more };
  return { answer: await drive(shorter(options)), worlds };
}

/** What is found, looked for until there is certainly nothing shorter: the kinds of its events. */
async function shortest(declaration: Declaration, asked: Asked): Promise<string> {
  let known: readonly Event[] = [];
  for (let eventsMax = asked.eventsMax; ; eventsMax = known.length - 1) {
    const { answer } = await ask(declaration, { ...asked, eventsMax });
    if (answer.kind === 'none') return known.map(({ kind }) => kind).join(' ');
    if (answer.kind === 'unknown') return answer.why;
    if (answer.events.length > eventsMax) return `${answer.events.length} events, where ${eventsMax} may be`;
    known = answer.events;
  }
}

describe('the search for a shorter execution', () => {
  test('meets each world once, however many ways lead there', async () => {
    const quiet = counter(idle, idle);
    const { answer, worlds } = await ask(system(quiet), { oracle: counted(9), eventsMax: 50 });
    // The start; a tick, which leads back to where it began.
    expect([answer.kind, worlds]).toEqual(['none', 2]);
    expect(await shortest(system(counter(idle)), { oracle: counted(3), eventsMax: 9 })).toBe('start fire fire fire');
  });

  test('tells worlds apart by the externals that are left', async () => {
    // The message counts for three, once; later it is the bug. By the message, three is nearer than by ticks.
    const receiving: Handler = (state) => void (state.n = state.n === 3 ? 100 : 3);
    const asked = { oracle: counted(100), eventsMax: 9, externals: [send('p', 'x')] };
    expect(await shortest(system(counter(receiving)), asked)).toBe('start fire fire fire send deliver');
  });

  test('uses no external more often than it is there', async () => {
    const receiving: Handler = (state) => void (state.n += 10);
    const twice = [send('p', 'x'), send('p', 'x')];
    const asked = { oracle: counted(20), eventsMax: 9 };
    const { answer } = await ask(system(counter(receiving, idle)), { ...asked, externals: twice.slice(1) });
    expect(answer).toEqual({ kind: 'none' });
    expect(await shortest(system(counter(receiving, idle)), { ...asked, externals: twice })).toBe(
      'start send deliver send deliver',
    );
  });

  test('tells worlds apart by their clocks, once any handler looks at one', async () => {
    const looking: Handler = (state, ctx) => void (state.n = ctx.nowMs > 25 ? 100 : 0);
    const asked = { oracle: counted(100), eventsMax: 9, externals: [send('p', 'x')] };
    expect(await shortest(system(counter(looking, idle)), asked)).toBe('start fire fire fire send deliver');
  });

  test('tells worlds apart by how many events there were, where an oracle looks at that', async () => {
    const oracle = judging((world) => countOf(world) === 0 && world.length === 4);
    expect(await shortest(system(counter(idle, idle)), { oracle, eventsMax: 9 })).toBe('start fire fire fire');
  });

  test('takes no worlds for the same where an oracle looks at what is pending', async () => {
    const oracle = judging(({ pending }) => pending.some((event) => event.kind === 'fire' && event.deadlineMs === 40));
    expect(await shortest(system(counter(idle, idle)), { oracle, eventsMax: 9 })).toBe('start fire fire fire');
  });

  test('tells worlds apart by what clients noted', async () => {
    const noting: Handler = (_state, ctx) => ctx.history.return(ctx.history.call('tick'));
    const oracle: Oracle = { judge: () => HOLDS, end: (world) => violated(world.operations().length === 2) };
    expect(await shortest(system(counter(idle, noting)), { oracle, eventsMax: 9 })).toBe('start fire fire');
  });

  test('counts what an action brings about, and finds the shorter way to where it leads', async () => {
    const actions = new Map([['twice', (): External[] => [send('p', 'x'), send('p', 'x')]]]);
    const receiving: Handler = (state) => void (state.n += 2);
    const declaration = system(counter(receiving), { actions });
    // One event of the action and two of its consequences, before the deliveries; ticks take one each.
    const asked = { oracle: counted(4), eventsMax: 9, externals: [act('twice')] };
    expect(await shortest(declaration, asked)).toBe('start fire fire fire fire');
    const still = system(counter(receiving, idle), { actions });
    expect(await shortest(still, asked)).toBe('start act send send deliver deliver');
  });

  describe('where an action takes more events here than there', () => {
    /** Starts `q`, by the way after three events that change nothing. */
    const ready = (world: World): External[] => [
      ...(countOf(world) === 1 ? [] : [heal(), heal(), heal()]),
      startOf('q'),
    ];
    const receiving: Handler = (state) => void (state.n = state.n === 0 ? 50 : state.n);
    const ticking: Handler = (state) => void (state.n = state.n === 50 ? 100 : 1 - state.n);
    const start = (ctx: Context<unknown>): object => {
      ctx.send('p', 'go');
      return {};
    };
    const p = counter(receiving, ticking);
    const declaration: Declaration = {
      ...system(p, { actions: new Map([['ready', ready]]) }),
      processes: new Map([
        ['p', p],
        ['q', { start, receive: idle }],
      ]),
    };

    test('continues from the shorter path to a world, although the longer one was found first', async () => {
      const asked = { oracle: counted(100), eventsMax: 9, externals: [act('ready')] };
      expect(await shortest(declaration, asked)).toBe('start fire act start fire deliver fire');
    });

    test('does not take what the action leads to for shorter than it is', async () => {
      const oracle = judging((world) => world.process('q').up);
      const asked = { oracle, eventsMax: 9, externals: [act('ready')] };
      expect(await shortest(declaration, asked)).toBe('start fire act start');
    });
  });

  test('knows what an action looks at', async () => {
    const late = ({ length }: World): External[] => (length > 4 ? [send('p', 'x')] : []);
    const declaration = system(
      counter((state) => void (state.n = 100), idle),
      { actions: new Map([['late', late]]) },
    );
    const asked = { oracle: counted(100), eventsMax: 9, externals: [act('late')] };
    expect(await shortest(declaration, asked)).toBe('start fire fire fire act send deliver');
  });

  test('loses whichever message it takes', async () => {
    const twoLetters: AnyBehavior = {
      start(ctx) {
        for (const letter of ['x', 'y', 'z']) ctx.send('p', letter);
        return { n: 0 };
      },
      receive(state, letter) {
        (state as Counted).n = (state as Counted).n * 10 + ['x', 'y', 'z'].indexOf(letter as string) + 1;
      },
    };
    const declaration = system(twoLetters, { faults: { ...noFaults, losses: 1 } });
    const lose: External = { kind: 'lose', target: 'a message of another execution' };
    const asked = { oracle: counted(13), eventsMax: 9, externals: [lose] };
    const { answer } = await ask(declaration, asked);
    expect(answer.kind === 'found' && answer.events.map(({ kind }) => kind).sort()).toEqual(
      ['start', 'lose', 'deliver', 'deliver'].sort(),
    );
  });

  test('makes worlds again where code awaits something', async () => {
    const asked = { oracle: counted(2), eventsMax: 9, externals: [send('p', 'x'), send('p', 'y')] };
    expect(await shortest(system(counter(later, idle)), asked)).toBe(
      'start send deliver complete send deliver complete',
    );
  });
});

describe('it is unknown whether there is a shorter execution', () => {
  const unknown: Verdict = { kind: 'unknown', why: 'too hard' };

  test('where nothing is left to spend', async () => {
    const answers = [2, 3, 4].map(async (most) => {
      let worlds = 0;
      const mayVisit = (): boolean => worlds++ < most;
      return (await ask(system(counter(idle)), { oracle: counted(99), eventsMax: 3, mayVisit: mayVisit })).answer.kind;
    });
    expect(await Promise.all(answers)).toEqual(['unknown', 'none', 'none']);
  });

  test.each(['judge', 'end'] as const)('where the oracle does not: %s', async (when) => {
    const oracle: Oracle = { judge: () => HOLDS, [when]: (world: World) => (countOf(world) === 1 ? unknown : HOLDS) };
    const { answer } = await ask(system(counter(idle)), { oracle, eventsMax: 4 });
    expect(answer).toEqual({ kind: 'unknown', why: 'too hard' });
  });

  test('but a shorter one is one all the same', async () => {
    const oracle: Oracle = {
      judge: (world) => violated(countOf(world) === 2),
      end: (world) => (countOf(world) === 1 ? unknown : HOLDS),
    };
    expect((await ask(system(counter(idle)), { oracle, eventsMax: 4 })).answer.kind).toBe('found');
  });
});

test('an execution that ends with another bug ends there, and is reported', async () => {
  const others: string[] = [];
  const oracle: Oracle = {
    judge: (world) => ({ ...violated((countOf(world) ?? 0) >= 2), fingerprint: `bug ${countOf(world)}` }),
  };
  const { answer } = await ask(system(counter(idle)), {
    oracle,
    eventsMax: 9,
    isSame: ({ fingerprint }) => fingerprint === 'bug 3',
    onOther: ({ fingerprint }, { length }) => others.push(`${fingerprint} after ${length}`),
  });
  expect([answer.kind, others]).toEqual(['none', ['bug 2 after 3']]);
});
