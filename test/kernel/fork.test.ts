import { behavior, send, start } from 'culprit';
import type { DeclaredLink, Session, Timing, Transport } from 'culprit/kernel';
import { Simulation } from 'culprit/kernel';
import type { Event, External, Internal } from 'culprit/trace';
import { externalOf, hex, isInternal } from 'culprit/trace';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyExternals, anyLinks, anyTransport, randomSystem } from '../twins/random-system.ts';
import { enabled, idle, open, perform, relay } from '../twins/scripted.ts';
import { isThere, worldOf } from '../twins/snapshot.ts';

/** A fork equals another execution of the same events, and neither side sees changes of the other. */

interface Rules {
  readonly transport: Transport;
  readonly timers: Timing;
  /** Present if messages use lanes and are held back. */
  readonly links?: readonly DeclaredLink[];
}

const anyTiming = fc.constantFrom<Timing>('any', { skewMs: 0 }, { skewMs: 7 });

const anyRules: fc.Arbitrary<Rules> = fc.oneof(
  fc.record({ transport: anyTransport, timers: anyTiming }),
  fc.record({ transport: anyTransport, timers: anyTiming, links: anyLinks }),
);

const opened = (rules: Rules, seed: number): Session =>
  Simulation.open(randomSystem({ ...rules, profiles: [{ awaits: false, blocking: false }] }), seed);

const choices = fc.array(fc.nat(), { maxLength: 40, size: 'max' });

/** Mostly an enabled event, sometimes one of the environment. */
function step(session: Session, choice: number): void {
  const at = choice >>> 2;
  const inside = session.enabled;
  const event = choice % 4 > 0 && inside.length > 0 ? inside[at % inside.length] : someExternal(session, at);
  if (event !== undefined) void session.perform(event);
}

function someExternal(session: Session, at: number): External | undefined {
  const onTheWay = session.world.pending.filter(({ kind, process }) => kind === 'deliver' && isThere(session, process));
  const untils = session.enabled.slice(0, 3).map(hex);
  const possible = anyExternals(onTheWay.map(hex), true, untils).filter(
    (external) => session.refusal(external) === undefined,
  );
  return possible[at % possible.length];
}

const follow = (session: Session, schedule: readonly number[]): void =>
  schedule.forEach((choice) => step(session, choice));

function forked(session: Session): Session {
  const fork = session.fork?.();
  if (fork === undefined) throw new Error('no handler awaits, so there is a fork');
  return fork;
}

/** A fresh session that executes the same events. */
function again(rules: Rules, seed: number, events: readonly Event[]): Session {
  const session = opened(rules, seed);
  for (const event of events) void session.perform(isInternal(event) ? event : externalOf(event));
  return session;
}

/** Everything visible of a session, as data of its own. */
const whole = (session: Session) => ({
  ...worldOf(session),
  recorded: session.recording.events.since(0),
  noted: session.recording.notes.since(0),
  last: session.world.last,
  faults: session
    .faults()
    .map((fault) => JSON.stringify(fault))
    .sort(),
});

test('a fork continues like a fresh execution of the same events', () => {
  fc.assert(
    fc.property(anyRules, fc.nat(), choices, choices, (rules, seed, before, afterward) => {
      const parent = opened(rules, seed);
      follow(parent, before);
      const child = forked(parent);
      expect(whole(child)).toEqual(whole(parent));
      follow(child, afterward);
      expect(whole(again(rules, seed, child.recording.events.since(0)))).toEqual(whole(child));
    }),
    { numRuns: 150, plugins: [fc.interruptAfterTimeLimit(4000)] },
  );
});

test('parent and child do not see changes of the other', () => {
  fc.assert(
    fc.property(anyRules, fc.nat(), choices, choices, choices, (rules, seed, before, childs, parents) => {
      const parent = opened(rules, seed);
      follow(parent, before);
      const child = forked(parent);
      const parentBefore = whole(parent);
      follow(child, childs);
      expect(whole(parent)).toEqual(parentBefore);
      const childBefore = whole(child);
      follow(parent, parents);
      expect(whole(child)).toEqual(childBefore);
      expect(whole(again(rules, seed, parent.recording.events.since(0)))).toEqual(whole(parent));
    }),
    { numRuns: 150, plugins: [fc.interruptAfterTimeLimit(4000)] },
  );
});

test('a family of forks: each member depends on its own events only', () => {
  const deeds = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 80, size: 'max' });
  fc.assert(
    fc.property(anyRules, fc.nat(), deeds, (rules, seed, family) => {
      const members = [{ session: opened(rules, seed), events: [] as string[] }];
      for (const [who, choice] of family) {
        const member = members[who % members.length] as (typeof members)[number];
        if (choice % 5 === 0) members.push({ session: forked(member.session), events: [...member.events] });
        const { length } = member.session.world;
        step(member.session, choice);
        member.events.push(...member.session.recording.events.since(length).map(hex));
      }
      for (const { session, events } of members) {
        expect(session.recording.events.since(0).map(hex)).toEqual(events);
        expect(whole(again(rules, seed, session.recording.events.since(0)))).toEqual(whole(session));
      }
    }),
    { numRuns: 60, plugins: [fc.interruptAfterTimeLimit(4000)] },
  );
});

test('a chain of a thousand forks, one event each', async () => {
  const system = () => open({ processes: { a: relay, b: relay }, transport: 'fifo' });
  let session = system();
  await perform(session, start('a'), start('b'), send('a', `${'b a '.repeat(500)}end`));
  const line = [session];
  while (session.enabled.length > 0) {
    session = forked(session);
    void session.perform(session.enabled[0] as Internal);
    line.push(session);
  }
  expect(line.map(({ world }) => world.length)).toEqual(line.map((_, at) => at + 3));
  expect(line.map(({ enabled: left }) => left.length)).toEqual([...line.slice(1).map(() => 1), 0]);
  const events = session.recording.events.since(0);
  expect(events.map(({ cause }) => cause)).toEqual(events.map((_, at) => (at < 3 ? -1 : at - 1)));
});

test('a fork has the outcome of the last event', async () => {
  const bomb = behavior<object, string>({
    start: () => ({}),
    receive() {
      throw new Error('boom');
    },
  });
  const session = open({ processes: { a: bomb } });
  await perform(session, start('a'), send('a', 'go'), 'deliver a go');
  expect(session.world.failure).toMatchObject({ process: 'a' });
  expect(forked(session).world.failure).toEqual(session.world.failure);
});

describe('no fork exists while code awaits', () => {
  const sleeper = behavior<{ slept: number }, string>({
    start: () => ({ slept: 0 }),
    async receive(state, _message, ctx) {
      await ctx.sleep(5);
      state.slept += 1;
    },
  });

  test('a handler', async () => {
    const session = open({ processes: { a: sleeper, b: idle } });
    await perform(session, start('a'), start('b'), send('a', 'one'), send('a', 'two'), 'deliver a one');
    expect(session.fork).toBeUndefined();
    await perform(session, 'deliver a two', 'complete a sleep');
    expect(session.fork).toBeUndefined();
    await perform(session, 'complete a sleep');
    expect(forked(session).world.process('a').state).toEqual({ slept: 2 });
  });

  test('`start`', async () => {
    const late = behavior<object, string>({
      async start(ctx) {
        await ctx.disk.write('k', 1);
        return {};
      },
      receive() {},
    });
    const session = open({ processes: { a: late } });
    await perform(session, start('a'));
    expect(session.fork).toBeUndefined();
    await perform(session, 'complete a write k');
    expect(forked(session).world.process('a').disk).toEqual(new Map([['k', 1]]));
  });

  test('a promise that no handler waits for', async () => {
    const careless = behavior<{ got: string[] }, string>({
      start: () => ({ got: [] }),
      receive(state, message, ctx) {
        if (message === 'go') void ctx.ask('b', 'question').then((answer) => state.got.push(answer));
        else ctx.reply('answer');
      },
    });
    const session = open({ processes: { a: careless, b: careless } });
    await perform(session, start('a'), start('b'), send('a', 'go'), 'deliver a go');
    expect(session.fork).toBeUndefined();
    await perform(session, 'deliver b question', 'deliver a answer');
    expect(enabled(session)).toEqual([]);
    expect(forked(session).world.process('a').state).toEqual({ got: ['answer'] });
  });

  test('a crash ends that', async () => {
    const session = open({ processes: { a: sleeper } });
    await perform(session, start('a'), send('a', 'one'), 'deliver a one', { kind: 'crash', process: 'a' });
    expect(session.fork).toBeDefined();
  });
});
