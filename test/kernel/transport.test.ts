import type { Context } from 'culprit';
import { behavior, crash, cut, heal, send, start } from 'culprit';
import type { AnyBehavior, Timing, Transport } from 'culprit/kernel';
import { Refused } from 'culprit/kernel';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyLinks, type Profile } from '../twins/random-system.ts';
import { echo, enabled, idle, open, perform, relay, spawner } from '../twins/scripted.ts';
import { SideBySide } from '../twins/side-by-side.ts';
import { worldOf, worldText } from '../twins/snapshot.ts';

/**
 * A session performs exactly what the transport allows: after every event of random executions, the pending, dropped
 * and enabled events are those of the slow twin.
 */

const drops = ['drop', 'keep'] as const;
const timings: readonly Timing[] = ['any', { skewMs: 0 }, { skewMs: 7 }];

const transports: readonly Transport[] = (['fifo', 'unordered'] as const).flatMap((order) =>
  (['drop', 'keep', 'return'] as const).flatMap((toAbsent) =>
    drops.flatMap((to) =>
      drops.flatMap((from) =>
        (['hold', 'drop'] as const).map((onCut) => ({ order, toAbsent, onCrash: { to, from }, onCut })),
      ),
    ),
  ),
);

const nameOf = ({ order, toAbsent, onCrash, onCut }: Transport): string =>
  `${order}, to absent: ${toAbsent}, crash to: ${onCrash.to}, from: ${onCrash.from}, cut: ${onCut}`;

const profiles = (...of: readonly Profile[]): fc.Arbitrary<Profile[]> =>
  fc.array(fc.constantFrom(...of), { minLength: 4, maxLength: 4 });

const SYNC = { awaits: false, blocking: false };
const ASYNC = { awaits: true, blocking: false };
const BLOCKING = { awaits: true, blocking: true };

/** The first difference between session and twin along a schedule, or a forbidden event that the session performs. */
async function problemsAlong(pair: SideBySide, schedule: readonly number[]): Promise<readonly string[]> {
  for (const process of ['a', 'b']) await pair.perform(start(process));
  for (const choice of schedule) {
    const event = pair.choose(choice);
    const problems = event === undefined ? [] : await pair.perform(event);
    if (problems.length > 0) return problems;
    if (choice % 5 === 0 && !(await refusesForbidden(pair, choice))) return ['something forbidden happened'];
  }
  return [];
}

/** A forbidden event is refused, and the attempt changes nothing. */
async function refusesForbidden(pair: SideBySide, choice: number): Promise<boolean> {
  const event = pair.forbidden(choice);
  if (event === undefined) return true;
  const before = worldText(pair.session);
  try {
    await pair.session.perform(event);
  } catch (error) {
    return error instanceof Refused && worldText(pair.session) === before;
  }
  return false;
}

describe.each(transports.map((transport) => [nameOf(transport), transport] as const))('%s', (_name, transport) => {
  test.each([
    ['sync', profiles(SYNC)],
    ['async', profiles(SYNC, ASYNC, BLOCKING)],
  ])('%s handlers', async (_kind, some) => {
    const schedules = fc.array(fc.nat(), { maxLength: 80, size: 'max' });
    const property = fc.asyncProperty(
      fc.nat(),
      some,
      fc.constantFrom(...timings),
      schedules,
      async (seed, someProfiles, timers, schedule) => {
        const pair = new SideBySide({ transport, timers, profiles: someProfiles }, seed);
        expect(await problemsAlong(pair, schedule)).toEqual([]);
      },
    );
    await fc.assert(property, { seed: 1, numRuns: 10, plugins: [fc.interruptAfterTimeLimit(2000)] });
  });
});

test('lanes and links with rules of their own', async () => {
  const schedules = fc.array(fc.nat(), { maxLength: 100, size: 'max' });
  const property = fc.asyncProperty(
    fc.nat(),
    profiles(SYNC, SYNC, ASYNC, BLOCKING),
    fc.constantFrom(...timings),
    fc.constantFrom(...transports),
    anyLinks,
    schedules,
    async (seed, someProfiles, timers, transport, links, schedule) => {
      const pair = new SideBySide({ transport, timers, profiles: someProfiles, links }, seed);
      expect(await problemsAlong(pair, schedule)).toEqual([]);
    },
  );
  await fc.assert(property, { seed: 1, numRuns: 100, plugins: [fc.interruptAfterTimeLimit(5000)] });
});

describe('a blocking process that awaits an answer', () => {
  const asker = (then: (ctx: Context<string>) => Promise<void>) =>
    behavior<object, string>({
      blocking: true,
      start: () => ({}),
      async receive(_state, message, ctx) {
        if (message !== 'go') return;
        await ctx.ask('b', 'question');
        await then(ctx);
      },
    });
  const chatty = behavior<object, string>({
    start: () => ({}),
    receive(_state, _message, ctx) {
      ctx.send('a', 'other');
      ctx.reply('answer');
    },
  });

  test('gets it before earlier messages', async () => {
    const session = open({ processes: { a: asker(async () => {}), b: chatty } });
    await perform(session, start('a'), start('b'), send('a', 'go'), 'deliver a go', 'deliver b question');
    expect(enabled(session)).toEqual(['deliver a answer']);
  });

  test('gets nothing else while it awaits another answer', async () => {
    const session = open({ processes: { a: asker((ctx) => Promise.resolve(ctx.sleep(5))), b: chatty } });
    await perform(
      session,
      start('a'),
      start('b'),
      send('a', 'go'),
      'deliver a go',
      'deliver b question',
      cut('a', 'b'),
      heal(),
    );
    await perform(session, 'deliver a answer');
    expect(enabled(session)).toEqual(['complete a sleep']);
  });
});

describe('a message kept for a process that has not joined', () => {
  const kinds = { worker: () => idle as AnyBehavior };

  test('reaches it when it is spawned under that name', async () => {
    const session = open({ processes: { a: spawner }, kinds, transport: { toAbsent: 'keep' } });
    await perform(session, start('a'), send('a/worker-1', 'hi'), send('a', 'go'), 'deliver a go', 'spawn a/worker-1');
    expect(enabled(session)).toEqual(['deliver a/worker-1 hi']);
  });

  test('is dropped with its sender, if a crash drops messages in flight from it', async () => {
    const session = open({
      processes: { a: relay },
      kinds,
      transport: { toAbsent: 'keep', onCrash: { to: 'drop', from: 'drop' } },
    });
    await perform(session, start('a'), send('a', 'x hi'), 'deliver a x hi', crash('a'), start('x', 'worker'));
    expect(enabled(session)).toEqual([]);
  });
});

test('a message that is not in flight cannot be lost, and the attempt leaves no trace', () => {
  const session = open({ processes: { a: idle }, faults: { losses: 1 } });
  const loss = { kind: 'lose', target: '0'.repeat(16) } as const;
  const before = worldOf(session);
  expect(session.refusal(loss)).toBeDefined();
  expect(() => session.perform(loss)).toThrow(Refused);
  expect(worldOf(session)).toEqual(before);
});

test('`wrote` never runs before `start` has returned: the state does not exist yet', async () => {
  const states: unknown[] = [];
  const writer = behavior<{ ready: boolean }, string>({
    async start(ctx) {
      void ctx.disk.write('k', 1);
      await ctx.sleep(5);
      return { ready: true };
    },
    receive() {},
    wrote(state) {
      states.push(state);
    },
  });
  const session = open({ processes: { a: writer } });
  await perform(session, start('a'), 'complete a write k');
  expect(states).not.toContain(undefined);
});

test('an answer that arrives before it is awaited is not lost', async () => {
  const asker = behavior<{ got: string[] }, string>({
    start: () => ({ got: [] }),
    async receive(state, message, ctx) {
      if (message !== 'go') return;
      const answers = [ctx.ask('b', 'x'), ctx.ask('c', 'y')];
      for (const answer of answers) state.got.push(await answer);
    },
  });
  const session = open({ processes: { a: asker, b: echo, c: echo } });
  await perform(session, start('a'), start('b'), start('c'), send('a', 'go'), 'deliver a go');
  await perform(session, 'deliver c y', 'deliver a y!', 'deliver b x', 'deliver a x!');
  expect(session.world.process('a').state).toEqual({ got: ['x!', 'y!'] });
});

describe('results that a returned handler did not await are handled, though another handler awaits', () => {
  const worker = behavior<{ log: string[] }, string>({
    start: () => ({ log: [] }),
    async receive(state, message, ctx) {
      state.log.push(message);
      if (message === 'write') void ctx.disk.write('k', 1);
      if (message === 'ask') void ctx.ask('b', 'question');
      if (message === 'sleep') await ctx.sleep(5);
    },
    wrote(state, key) {
      state.log.push(`wrote ${key}`);
    },
  });

  test('a write', async () => {
    const session = open({ processes: { a: worker } });
    await perform(session, start('a'), send('a', 'write'), send('a', 'sleep'), 'deliver a write', 'deliver a sleep');
    await perform(session, 'complete a write k');
    expect(session.world.process('a').state).toEqual({ log: ['write', 'sleep', 'wrote k'] });
  });

  test('an answer', async () => {
    const session = open({ processes: { a: worker, b: echo } });
    await perform(session, start('a'), start('b'), send('a', 'ask'), send('a', 'sleep'));
    await perform(session, 'deliver a ask', 'deliver a sleep', 'deliver b question', 'deliver a question!');
    expect(session.world.process('a').state).toEqual({ log: ['ask', 'sleep', 'question!'] });
  });
});
