import { describe, expect, test } from 'vitest';
import {
  assign,
  cancel,
  createMachine,
  fromPromise,
  log,
  raise,
  sendTo,
  setup,
  type AnyActorRef,
  type AnyStateMachine,
} from 'xstate';
import {
  check,
  crash,
  defineSystem,
  doctor,
  minimize,
  recheck,
  replay,
  restart,
  search,
  send,
  start,
  type CulpritError,
  type Io,
} from 'culprit';
import { targetOf, resolveSystem, type AnyBehavior, type Session } from 'culprit/kernel';
import { storyLines } from 'culprit/report';
import { writeTrace } from 'culprit/trace';
import { fromMachine } from 'culprit/xstate';
import { exhaust } from '../exhaust.ts';
import { found } from '../found.ts';
import { executed, happenings, stateOf } from './executed.ts';
import twoPhaseCommit from './machines/two-phase-commit.system.ts';

describe('two-phase commit as machines', () => {
  test('is hunted, minimized and replayed', async () => {
    const first = await found(twoPhaseCommit);
    const { trace, certificate } = await minimize(twoPhaseCommit, first);
    expect(certificate).toBe('shortest');
    expect(storyLines(trace.events).map((line) => line.trimEnd())).toEqual([
      '   1  coordinator  starts                            value: idle, yes: []',
      '   2  p1           starts                            context: {abortsAlone: true}, status: active, value: idle',
      '   3  p2           starts                            context: {abortsAlone: true}, status: active, value: idle',
      '   4  environment  sends begin to coordinator',
      '   5  coordinator  gets begin from environment       value: idle → voting',
      '   6  p1           gets prepare from coordinator     value: idle → prepared',
      '   7  coordinator  gets yes from p1                  yes.0: p1 (new)',
      '   8  p1           timer after 200 (prepared) fires  status: active → done, value: prepared → aborted',
      '   9  p2           gets prepare from coordinator     value: idle → prepared',
      '  10  coordinator  gets yes from p2                  value: voting → committed, yes.1: p2 (new)',
    ]);
    expect(writeTrace(await replay(twoPhaseCommit, trace))).toBe(writeTrace(trace));
    const corrected = {
      ...trace,
      header: { ...trace.header, parameters: { ...trace.header.parameters, abortsAlone: false } },
    };
    expect(['fixed', 'diverged']).toContain((await recheck(twoPhaseCommit, corrected, { neighbors: 20 })).answer);
  });

  test.each([
    [1, { false: { verdict: 'holds', executions: 7 }, true: { verdict: 'violated', executions: 5 } }],
    [2, { false: { verdict: 'holds', executions: 217 }, true: { verdict: 'violated', executions: 48 } }],
  ])('is checked as the same protocol of actors is, with %d participants', async (participants, expected) => {
    for (const abortsAlone of [false, true]) {
      const reports = await Promise.all(
        [true, false].map((asMachines) => check(twoPhaseCommit, { set: { participants, abortsAlone, asMachines } })),
      );
      const [machines, plain] = reports.map(({ verdict, executions }) => ({ verdict, executions }));
      expect(machines).toEqual(plain);
      expect(machines).toEqual(expected[`${abortsAlone}`]);
    }
  });

  test('is checked with a crash as the same protocol of actors is', async () => {
    const set = { participants: 1, crashes: 1, abortsAlone: false };
    const reports = await Promise.all(
      [true, false].map((asMachines) => check(twoPhaseCommit, { set: { ...set, asMachines } })),
    );
    const [machines, plain] = reports.map(({ verdict, executions, plansDone }) => ({ verdict, executions, plansDone }));
    expect(machines).toEqual(plain);
    expect(machines).toEqual({ verdict: 'holds', executions: 78, plansDone: 2 });
  });

  test('ends in the same states as the same protocol of actors', async () => {
    const ends = async (asMachines: boolean): Promise<[number, string[]]> => {
      const states = new Set<string>();
      const set = { participants: 1, asMachines };
      const executions = await exhaust(
        { ...twoPhaseCommit, parameters: { ...twoPhaseCommit.parameters, ...set } },
        (session) => states.add(JSON.stringify(session.world.up().map(({ state }) => state))),
      );
      return [executions, [...states].sort()];
    };
    const machines = await ends(true);
    expect(machines).toEqual(await ends(false));
    expect(machines[1].length).toBeGreaterThan(2);
  });

  test('is healthy', async () => {
    const results = await doctor(twoPhaseCommit, { executions: 20, directory: 'nowhere' });
    expect(results.filter(({ level }) => level !== 'ok' && level !== 'skipped')).toEqual([]);
  });
});

const process = (machine: AnyStateMachine | ((io: Io) => AnyStateMachine)): AnyBehavior =>
  fromMachine(machine) as AnyBehavior;

const opened = (a: AnyBehavior): Session => targetOf(resolveSystem(defineSystem({ processes: { a } }))).open(0);

const oh = (): never => {
  throw new Error('oh');
};

describe('a machine', () => {
  test('begins again after a crash, with the input of that life', async () => {
    const counter = setup({
      types: { context: {} as { self: string; count: number }, input: {} as { self: string } },
    }).createMachine({
      context: ({ input }) => ({ ...input, count: 0 }),
      on: { up: { actions: assign({ count: ({ context }) => context.count + 1 }) } },
    });
    const a = fromMachine(counter, { input: ({ self }) => ({ self }), view: ({ context }) => context }) as AnyBehavior;
    const up = send('a', { type: 'up' });
    expect(await stateOf({ a }, [up, up])).toEqual({ self: 'a', count: 2 });
    expect(await stateOf({ a }, [up, up, crash('a'), restart('a'), up])).toEqual({ self: 'a', count: 1 });
  });

  test('has transitions after a time as timers, which it leaves with the state', async () => {
    const patient = createMachine({
      id: 'patient',
      initial: 'calm',
      states: {
        calm: { after: { 100: 'uneasy' }, on: { hush: 'asleep' } },
        uneasy: { initial: 'pacing', states: { pacing: { after: { 50: 'shouting' } }, shouting: {} } },
        asleep: {},
      },
    });
    const waited = await executed({ a: process(patient) });
    expect(happenings(waited)).toEqual(['a after 100 (calm)', 'a after 50 (uneasy.pacing)']);
    expect(waited.world.process('a').state).toMatchObject({ value: { uneasy: 'shouting' } });

    const hushed = opened(process(patient));
    await hushed.perform(start('a'));
    await hushed.perform(send('a', { type: 'hush' }));
    for (const event of hushed.enabled.filter(({ kind }) => kind === 'deliver')) await hushed.perform(event);
    expect(hushed.world.process('a').state).toMatchObject({ value: 'asleep' });
    expect(hushed.enabled).toEqual([]);
  });

  test('delays events, and cancels those that have an id', async () => {
    const delaying = createMachine({
      context: { got: [] as string[] },
      entry: [
        raise({ type: 'tick' }, { delay: 10 }),
        raise({ type: 'tock' }, { delay: 20, id: 'tock' }),
        cancel('tock'),
      ],
      on: { '*': { actions: assign({ got: ({ context, event }) => [...context.got, event.type] }) } },
    });
    const session = await executed({ a: process(delaying) });
    expect(happenings(session)).toEqual(['a tick']);
    expect(session.world.process('a').state).toMatchObject({ context: { got: ['tick'] } });
  });

  test('invokes promises that use io', async () => {
    const storing = (io: Io) =>
      createMachine({
        initial: 'writing',
        states: {
          writing: {
            invoke: { src: fromPromise(() => io.storage.write('key', io.self)), onDone: 'reading' },
          },
          reading: {
            invoke: {
              src: fromPromise(() => io.storage.read('key')),
              onDone: { target: 'over', actions: assign(({ event }) => ({ found: event.output as unknown })) },
            },
          },
          over: { type: 'final' },
        },
      });
    const session = await executed({ a: process(storing) });
    expect(happenings(session)).toEqual(['a write', 'a read']);
    expect(session.world.process('a').state).toEqual({ value: 'over', context: { found: 'a' }, status: 'done' });
  });

  test('that is done takes no more events', async () => {
    const brief = createMachine({ initial: 'on', states: { on: { on: { off: 'off' } }, off: { type: 'final' } } });
    const off = send('a', { type: 'off' });
    expect(await stateOf({ a: process(brief) }, [off, off])).toMatchObject({ value: 'off', status: 'done' });
  });

  test('answers a process that joined later', async () => {
    const host = createMachine({
      context: { guests: 0 },
      on: {
        hello: {
          actions: [
            assign({ guests: ({ context }) => context.guests + 1 }),
            sendTo(({ system, event }) => system.get((event as unknown as { from: string }).from) as AnyActorRef, {
              type: 'welcome',
            }),
          ],
        },
      },
    });
    const guest = createMachine({
      initial: 'outside',
      entry: sendTo(({ system }) => system.get('host') as AnyActorRef, { type: 'hello' }),
      states: { outside: { on: { welcome: 'inside' } }, inside: {} },
    });
    const inviter: AnyBehavior = {
      start(ctx) {
        for (const guests of [1, 2]) ctx.spawn('guest', guests);
        return {};
      },
      receive: () => undefined,
    };
    const answering = fromMachine(host, { receive: (message: object, from) => ({ ...message, type: 'hello', from }) });
    const insiders = new Set<number>();
    const system = defineSystem({
      processes: { host: answering, inviter },
      kinds: { guest: () => process(guest) },
      invariants: {
        some(world) {
          const inside = world.up().filter(({ state }) => (state as { value?: unknown }).value === 'inside');
          insiders.add(inside.length);
          return true;
        },
      },
    });
    expect((await search(system, { executions: 10 })).findings).toEqual([]);
    expect([...insiders].sort((a, b) => a - b)).toEqual([0, 1, 2]);
  });

  test('logs to the trace', async () => {
    const chatty = createMachine({ entry: log('good morning') });
    expect(JSON.stringify((await executed({ a: process(chatty) })).recording.notes)).toContain('good morning');
  });
});

describe('what a machine does not catch is a violation of its process:', () => {
  const machines: [string, AnyStateMachine][] = [
    ['an action', createMachine({ on: { go: { actions: oh } } })],
    ['an action at the start', createMachine({ entry: oh })],
    ['a guard', createMachine({ on: { go: { guard: oh, actions: [] } } })],
    ['a context', createMachine({ context: oh })],
    ['an action after a time', createMachine({ after: { 10: { actions: oh } } })],
    ['a promise', createMachine({ invoke: { src: fromPromise(() => Promise.resolve().then(oh)) } })],
    ['an actor of it', createMachine({ invoke: { src: createMachine({ after: { 10: { actions: oh } } }) } })],
  ];

  test.each(machines)('in %s', async (_where, machine) => {
    const system = defineSystem({
      processes: { b: process(createMachine({})), a: process(machine) },
      workload: [send('a', { type: 'go' })],
    });
    const { findings } = await search(system, { executions: 5 });
    expect(findings[0]?.trace.verdict).toMatchObject({ oracle: 'noUncaughtException', processes: ['a'] });
    expect(findings[0]?.trace.verdict).toMatchObject({ message: expect.stringMatching(/^a threw [^]*oh/) as string });
  });

  test('but not what it handles', async () => {
    const handling = createMachine({
      initial: 'trying',
      states: {
        trying: { invoke: { src: fromPromise(() => Promise.reject(new Error('oh'))), onError: 'failed' } },
        failed: {},
      },
    });
    expect(await stateOf({ a: process(handling) })).toMatchObject({ value: 'failed' });
  });
});

test('the type of the default view is known where the machine is made a process of a system', async () => {
  const door = createMachine({ initial: 'closed', states: { closed: {} } });
  const system = defineSystem({
    processes: { door: fromMachine(door) },
    invariants: { active: (world) => world.process('door').state?.status !== 'stopped' },
  });
  expect((await search(system, { executions: 1 })).findings).toEqual([]);
});

describe('mistakes are named:', () => {
  test('a context that is no plain data', async () => {
    const machine = createMachine({ context: { child: () => 1 } });
    const error: unknown = await search(defineSystem({ processes: { a: process(machine) } })).catch(
      (thrown: unknown) => thrown,
    );
    const { message, next } = (error as Error).cause as CulpritError;
    expect(message).toBe('a: the view after event 1.context.child is the function child, which is not plain data.');
    expect(next).toContain('Return data from `view`');
  });

  test('a machine that is none, and options that there are not', () => {
    const given =
      (...args: unknown[]) =>
      () =>
        (fromMachine as (...given: unknown[]) => unknown)(...args);
    expect(given({})).toThrow('fromMachine takes a machine, not an object without fields.');
    expect(given(createMachine({}), { views: oh })).toThrow('fromMachine has no option views: did you mean view?');
  });
});
