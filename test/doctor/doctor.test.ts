import { constant, integer } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  act,
  behavior,
  BadParameter,
  crash,
  defineSystem,
  doctor,
  generate,
  send,
  until,
  untilDeliveries,
  type System,
} from 'culprit';
import { BadOption, BadSystem } from 'culprit/kernel';
import lock from '../../cases/lock/lock.system.ts';
import closure from './leaky/closure.system.ts';
import counter from './leaky/counter.system.ts';
import field from './leaky/field.system.ts';
import order from './leaky/order.system.ts';
import timer from './leaky/timer.system.ts';
import { complaints, counting, fine, idle, said } from './said.ts';

describe('a doctor accepts', () => {
  test('a lock, whether its bug is on or off', async () => {
    expect(await said(lock)).toEqual([
      'ok        Node is recent enough (20.19 or later)',
      'ok        system: loads and defines 4 processes, 1 invariant',
      'ok        parameters: checksOwner=false',
      'ok        executions: 20 executions, 3 of them violated, 274 events, by random, pct, pctcp, pos, round-robin',
      'ok        determinism: 20 executions repeated exactly, in a different order',
      'ok        leaks: no clock, random source, real timer, I/O or weak reference is used in 20 executions',
      'ok        observers: invariants and other callbacks changed nothing in 136 calls',
      'skipped   elsewhere: only the command `culprit doctor` runs a second process',
      'ok        processes: every process takes part (4)',
      'ok        messages: every type had an effect (3)',
    ]);
    expect(await complaints(lock, { set: { checksOwner: true } })).toEqual([]);
  });

  test('fixed dates, collections, drawn externals, faults, marks and waits', async () => {
    const keeper = behavior<{ at: number; seen: Map<string, number> }, { by: string; n: number }>({
      start: () => ({ at: new Date(0).getTime(), seen: new Map() }),
      receive(state, { by, n }, ctx) {
        state.seen.set(by, n + ctx.random.below(10));
        state.at = Date.UTC(2020, 1, n) + ctx.nowMs;
      },
    });
    const system = defineSystem({
      processes: { a: keeper, b: keeper },
      workload: [
        generate(3, [1, integer({ min: 1, max: 9 }).map((n) => send('a', { by: 'us', n }))], [1, constant(crash('b'))]),
        untilDeliveries(1),
        send('b', { by: 'us', n: 1 }),
        until((world) => world.pending.length === 0),
        act('sweep'),
      ],
      actions: { sweep: () => [send('a', { by: 'sweep', n: 1 })] },
      triggers: [{ after: (event) => event.kind === 'deliver', do: send('b', { by: 'trigger', n: 2 }) }],
      faults: { crashes: 1, restarts: 1, partitions: 1 },
      sometimes: { written: (world) => world.up(keeper).some(({ state }) => state.seen.size > 0) },
      invariants: { small: (world) => world.up(keeper).every(({ state }) => state.seen.size < 4) },
    });
    const lines = await said(system);
    expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([
      'skipped   elsewhere: only the command `culprit doctor` runs a second process',
    ]);
    expect(lines.slice(-5)).toEqual([
      'ok        sometimes: each was true in some state (1)',
      'ok        faults: every declared fault could happen (3)',
      'ok        processes: every process takes part (2)',
      'ok        messages: every type had an effect (1)',
      'ok        workload: every external happened (5)',
    ]);
  });
});

test('a doctor executes like a hunt, with the weights that the system declares', async () => {
  const hasty = behavior<{ got: boolean; hasty: boolean }, string>({
    start(ctx) {
      ctx.setTimer('late', 1);
      ctx.send(ctx.self, 'early');
      return { got: false, hasty: false };
    },
    receive(state) {
      state.got = true;
    },
    timer(state) {
      state.hasty = !state.got;
    },
  });
  const weighing = (fire: number): System =>
    defineSystem({
      processes: { hasty },
      weights: { fire },
      invariants: { patient: (world) => world.up(hasty).every(({ state }) => !state.hasty) },
    });
  const executions = async (fire: number): Promise<string | undefined> => (await said(weighing(fire)))[2];
  expect(await executions(0)).toMatch(/^ok {8}executions: 20 executions, 60 events/);
  expect(await executions(1e9)).toMatch(/^ok {8}executions: 20 executions, 16 of them violated, 44 events/);
});

describe('a doctor sees state that is kept', () => {
  const start = 'problem   determinism: seed 19 did not repeat exactly.';
  const outside =
    'Likely leak: state that outlives executions, in a variable of a module or in a closure (or a function like Date.now kept there)';

  test.each<[string, System, RegExp]>([
    ['in a module', counter, /^Event 1: counter \(start\): counter\.number is \d+, and was \d+ in the recording\. /],
    [
      'in another order',
      order,
      /^Event 1: table \(start\): table\.order\.0 is "\w+", and was "\w+" in the recording\. They are the same values in another order\. /,
    ],
  ])('%s', async (_where, system, expected) => {
    const [line = '', ...others] = await complaints(system);
    expect(line.slice(0, start.length)).toBe(start);
    expect(line.slice(start.length + 1)).toMatch(expected);
    expect(line.endsWith(outside)).toBe(true);
    expect(others).toEqual([
      expect.stringMatching(
        /^warning {3}processes: \w+ never received a message, a timer or an answer in 20 executions$/,
      ),
    ]);
  });

  test('by the definition, which the doctor calls again to find out', async () => {
    expect(await complaints(closure)).toEqual([
      expect.stringMatching(
        /^problem {3}determinism: seed 19 did not repeat exactly\. Event 3: numbers \(deliver\): numbers\.given\.0 is 20, and was 19 in the recording\. Likely leak: state in the definition of the system: a fresh definition behaves like the first one$/,
      ),
    ]);
  });

  test('by a behavior, and names the field', async () => {
    expect(await complaints(field)).toEqual([
      expect.stringMatching(/Likely leak: the field next of the behavior of numbers, which outlives executions$/),
    ]);
  });

  test('by a behavior, if it made no difference yet', async () => {
    const remembering = {
      calls: 0,
      start: () => ({}),
      receive() {
        this.calls += 1;
      },
    };
    const system = defineSystem({ processes: { remembering }, workload: [send('remembering', 'x')], invariants: fine });
    expect(await complaints(system)).toEqual([
      'warning   leaks: the field calls of the behavior of remembering, which outlives executions, changed',
      'warning   messages: string was delivered 20 times and never had any effect',
    ]);
  });
});

describe('a doctor sees that', () => {
  test('a handler waits for a real timer, and skips the other checks', async () => {
    expect((await said(timer)).slice(2)).toEqual([
      'problem   executions: seed 0: sleeper started a real timer (setTimeout) in event 3 and waits for it: culprit does not control when it ends. Likely leak: setTimeout at test/doctor/leaky/timer.system.ts:6, called in event 3 (sleeper, deliver)',
      'skipped   the other checks need executions that finish',
    ]);
  });

  test('a handler does not return', async () => {
    const endless = behavior<object, string>({
      start: () => ({}),
      receive() {
        for (;;);
      },
    });
    const system = defineSystem({ processes: { endless }, workload: [send('endless', 'x')], invariants: fine });
    expect(await complaints(system, { handlerMs: 50 })).toEqual([
      'problem   executions: seed 0: endless did not return from event 3 (deliver)',
    ]);
  });

  test('a state is not plain data', async () => {
    const odd = behavior<object, string>({
      start: () => ({}),
      receive(state: { go?: () => void }) {
        state.go = () => {};
      },
    });
    const system = defineSystem({ processes: { odd }, workload: [send('odd', 'x')], invariants: fine });
    expect(await complaints(system)).toEqual([
      'problem   executions: seed 0: odd: the state after event 3.go is the function (anonymous), which is not plain data.',
    ]);
  });

  test('the system cannot be loaded or defined', async () => {
    const broken = (): Promise<System> => Promise.reject(new BadSystem('nothing here.', 'Put something there.'));
    expect((await said(broken)).slice(1)).toEqual(['problem   system: nothing here.']);
    expect(await complaints(defineSystem({ processes: {} }))).toEqual([
      'problem   system: the system has no processes.',
    ]);
  });

  test('an execution that worked once fails when it is repeated', async () => {
    let asked = 0;
    const tired = (): boolean => {
      if (++asked > 100) throw new Error('enough');
      return true;
    };
    const system = defineSystem({ processes: { counting }, workload: [send('counting', 'x')], invariants: { tired } });
    expect((await complaints(system))[0]).toMatch(
      /^problem {3}determinism: re-execution fails: the invariant tired threw after event 0: Error: enough/,
    );
  });

  test('a function is called while the system is defined', async () => {
    const system = defineSystem({ n: 1 }, () => {
      const born = Date.now();
      return defineSystem({ processes: { idle }, name: `born ${born}` });
    });
    // Another process shows whether it matters.
    const results = await doctor(system, {
      executions: 5,
      directory: 'nowhere',
      executeElsewhere: async () => [],
    });
    expect(results.filter(({ check }) => check === 'leaks').map(({ message }) => message)).toEqual([
      'leaks: no clock, random source, real timer, I/O or weak reference is used in 5 executions',
      expect.stringMatching(
        /^leaks: Date\.now at test\/doctor\/doctor\.test\.ts:\d+, called by the definition of the system; nothing changed in a second process$/,
      ),
    ]);
  });
});

test('impossible options are refused', async () => {
  await expect(doctor(lock, { executions: 0 })).rejects.toThrow(BadOption);
  await expect(doctor(lock, { seed: -1 })).rejects.toThrow(BadOption);
  // @ts-expect-error -- no such parameter
  await expect(doctor(lock, { set: { owner: true } })).rejects.toThrow(BadParameter);
});

test('each result is reported as soon as it is known', async () => {
  const reported: string[] = [];
  const results = await doctor(lock, { executions: 5, onResult: ({ check }) => reported.push(check) });
  expect(reported).toEqual(results.map(({ check }) => check));
});
