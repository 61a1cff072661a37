import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { behavior, defineSystem, hunt, search, send, ViolationFound, type System } from 'culprit';
import {
  ReplayThen,
  strategyCalled,
  targetOf,
  resolveSystem,
  type SearchOptions,
  type SearchReport,
  type Weights,
  drive,
  execution,
} from 'culprit/kernel';
import { eventOf } from 'culprit/trace';
import lock from '../../cases/lock/lock.system.ts';
import { found } from '../found.ts';

/** Every message is a bug of its own. */
const fragile = defineSystem({
  processes: {
    a: behavior<object, string>({
      start: () => ({}),
      receive(_state, message) {
        throw new Error(message);
      },
    }),
  },
  workload: [send('a', 'one'), send('a', 'two'), send('a', 'three')],
});

const weightless = { deliver: 0, return: 0, fire: 0, complete: 0, spawn: 0, external: 0 };

describe('search', () => {
  test('continues until it has this many different violations', async () => {
    const { findings } = await search(fragile, { violations: 3 });
    const messages = findings.map(({ trace: { verdict } }) => (verdict.verdict === 'violated' ? verdict.message : ''));
    expect(messages.toSorted()).toEqual(['a threw Error: one', 'a threw Error: three', 'a threw Error: two']);
  });

  test('counts exceptions that differ only in values as the same bug', async () => {
    const counting = behavior<{ count: number }, string>({
      start: () => ({ count: 0 }),
      receive(state, message) {
        state.count += 1;
        if (message === 'last') throw new Error(`message ${state.count} of '${message}' is too much`);
      },
    });
    const system = defineSystem({
      processes: { a: counting, b: counting },
      transport: 'unordered',
      workload: ['a', 'b'].flatMap((name) => ['one', 'two', 'last'].map((message) => send(name, message))),
    });
    const { findings, executions } = await search(system, { violations: 9, executions: 100 });
    const verdicts = findings.map(({ trace: { verdict } }) => verdict);
    expect(executions).toBe(100);
    expect(verdicts).toMatchObject([
      {
        message: "a threw Error: message 3 of 'last' is too much",
        fingerprint: 'noUncaughtException a Error: message # of # is too much',
      },
      {
        message: "b threw Error: message 1 of 'last' is too much",
        fingerprint: 'noUncaughtException b Error: message # of # is too much',
      },
    ]);
  });

  test('reports the number of executions if there is no more to find', async () => {
    const report = await search(fragile, { violations: 4, executions: 200 });
    expect(report.findings.length).toBe(3);
    expect(report.executions).toBe(200);
  });

  test('finds the same with the same seed, from any first seed', async () => {
    const { findings } = await search(fragile, { violations: 3, seed: 10 });
    expect(findings.length).toBe(3);
    for (const { trace, strategy } of findings) {
      const again = await search(fragile, { seed: trace.header.seed, executions: 1 });
      expect(again.findings[0]?.trace).toEqual(trace);
      expect(again).toMatchObject({ executions: 1, nextSeed: trace.header.seed + 1 });
      expect(strategy).toBe(trace.header.options.strategy);
    }
  });

  test('stops when its time is up', async () => {
    const endless = behavior<object, never>({
      start(ctx) {
        ctx.repeatTimer('tick', 1);
        return {};
      },
      receive() {},
    });
    const report = await search(defineSystem({ processes: { a: endless } }), { seconds: 0.2, executions: 1_000_000 });
    expect(report.executions).toBeLessThan(1_000_000);
    expect(report.findings).toEqual([]);
  });

  test('adds no faults if their budgets are zero', async () => {
    const none = { crashes: 0, restarts: 0, partitions: 0, losses: 0, duplicates: 0 };
    const idle = behavior<object, string>({ start: () => ({}), receive() {} });
    const system = defineSystem({ processes: { a: idle, b: idle }, workload: [send('a', 'x')], faults: none });
    const { coverage } = await search(system, { executions: 200 });
    expect(coverage.kinds).toEqual({ deliver: 200, send: 200, start: 400 });
  });

  test('notices a nondeterministic system before it has found anything', async () => {
    const leaky = behavior({ start: () => ({ at: Math.random() }), receive() {} });
    await expect(search(defineSystem({ processes: { a: leaky } }))).rejects.toThrow(
      /^seed 0: event 1: a \(start\): a\.at is 0\.\d+, and was 0\.\d+ in the recording\. Likely leak: Math\.random at test\/hunt\/search\.test\.ts:/,
    );
  });

  test.each([
    [{ executions: 0 }, 'executions is a whole number, 1 or more, not 0.'],
    [{ eventsMax: 0 }, 'eventsMax is a whole number, 1 or more, not 0.'],
    [{ violations: 0 }, 'violations is a whole number, 1 or more, not 0.'],
    [{ workers: 0 }, 'workers is a whole number, 1 or more, not 0.'],
    [{ workers: 1.5 }, 'workers is a whole number, 1 or more, not 1.5.'],
    [{ seed: -1 }, 'seed is a whole number, 0 or more, not -1.'],
    [{ seconds: 0 }, 'seconds is a number above 0, not 0.'],
    [{ seconds: Number.NaN }, 'seconds is a number above 0, not NaN.'],
    [{ strategy: 'best' as never }, 'there is no strategy called "best".'],
    [{ weights: weightless }, 'all weights are 0: nothing could be chosen.'],
    [{ weights: { fire: Number.NaN } }, 'the weight of fire is NaN.'],
    [{ weights: { fire: -1 } }, 'the weight of fire is -1.'],
    [{ weights: { fire: 1, crash: 1 } }, 'there is no weight for "crash".'],
  ])('refuses %j', async (options, problem) => {
    await expect(search(fragile, options)).rejects.toThrow(problem);
  });
});

describe('weights', () => {
  const ticking = behavior<object, number>({
    start(ctx) {
      ctx.repeatTimer('tick', 1);
      ctx.send(ctx.self, 20);
      return {};
    },
    receive(_state, message, ctx) {
      if (message > 0) ctx.send(ctx.self, message - 1);
    },
  });
  const weighing = (weights: Weights): System => defineSystem({ processes: { a: ticking, b: ticking }, weights });
  const plain = defineSystem({ processes: { a: ticking, b: ticking } });
  const seen = async (system: System, options: SearchOptions = {}): Promise<SearchReport> =>
    search(system, { executions: 30, eventsMax: 40, ...options });

  test('of a system are used, unless the search has its own', async () => {
    const [heavy, light] = [{ fire: 9 }, { fire: 0 }];
    const byDefault = await seen(plain);
    expect(await seen(weighing(heavy))).toEqual(await seen(plain, { weights: heavy }));
    expect(await seen(weighing(heavy), { weights: light })).toEqual(await seen(plain, { weights: light }));
    expect(await seen(weighing(heavy), { weights: {} })).toEqual(byDefault);
    const timers = [await seen(weighing(light)), byDefault, await seen(weighing(heavy))].map(
      ({ coverage }) => coverage.kinds['fire'] ?? 0,
    );
    expect(timers).toEqual(timers.toSorted((one, other) => one - other));
    expect(new Set(timers).size).toBe(3);
  });

  test('of a system are checked', () => {
    expect(() => resolveSystem(weighing({ fire: -1 }))).toThrow('the weight of fire is -1.');
    expect(() => resolveSystem(weighing(weightless))).toThrow('all weights are 0: nothing could be chosen.');
    expect(() => resolveSystem(weighing({ timer: 2 } as object))).toThrow('there is no weight for "timer".');
  });
});

describe('hunt', () => {
  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'culprit-'));
    onTestFinished(() => rmSync(made, { recursive: true, force: true }));
    return made;
  };

  test('throws the story, the file and the command; then the file runs first; after the fix, the test passes', async () => {
    const directory = folder();
    // A busy machine gets the time for the same answer.
    const error = await hunt(lock, { directory, minimize: { seconds: 600 } }).catch((thrown: unknown) => thrown);
    if (!(error instanceof ViolationFound)) throw error;
    expect(error.message).toMatch(
      /^violated {2}mutualExclusion: client-1 and client-3 both hold the lock\n {10}11 events → 11, \d+ schedules, shortest\n/,
    );
    expect(error.message).toContain(`replay    npx culprit replay ${error.path}`);
    expect(error.message).toContain('\nfound     by seed 0, random\n');
    expect(error.trace.header.module).toBe('cases/lock/lock.system.ts');
    expect(readdirSync(directory)).toEqual(['mutual-exclusion-8dfc.min.trace', 'mutual-exclusion-8dfc.trace']);
    expect(error.path).toBe(join(directory, 'mutual-exclusion-8dfc.min.trace'));
    // No execution of its own would find it: it comes from the file.
    const again = await hunt(lock, { directory, executions: 1, strategy: 'round-robin' }).catch(
      (thrown: unknown) => thrown,
    );
    expect(again).toBeInstanceOf(ViolationFound);
    expect(String(again)).toContain(`\nfound     earlier, by seed 0, random\nsaved     ${error.path}\n`);
    await hunt(lock, { directory, set: { checksOwner: true }, executions: 100 });
  });

  test('runs the original trace if its minimized version no longer fails', async () => {
    const directory = folder();
    await expect(hunt(lock, { directory })).rejects.toThrow('8dfc.min.trace');
    const [minimized, original] = readdirSync(directory).map((name) => join(directory, name)) as [string, string];
    const text = readFileSync(minimized, 'utf8');
    writeFileSync(minimized, text.replaceAll('"client-2"', '"client-9"'));
    await expect(hunt(lock, { directory })).rejects.toMatchObject({ path: original });
  });

  test('minimizes within limits, or not at all', async () => {
    const [directory, other] = [folder(), folder()];
    const limited = hunt(lock, { directory, minimize: { schedules: 2 } });
    await expect(limited).rejects.toThrow(/11 events → 11, 2 schedules, not known to be minimal\n/);
    await expect(hunt(lock, { directory })).rejects.toThrow(/\nresume {4}npx culprit minimize .*8dfc\.min\.trace$/);
    await expect(hunt(lock, { directory: other, minimize: false })).rejects.toThrow(/ the lock\n {10}11 events\n/);
    expect(readdirSync(other)).toEqual(['mutual-exclusion-8dfc.trace']);
    const bad = hunt(lock, { directory: other, minimize: { seconds: 0 }, executions: 1 });
    await expect(bad).rejects.toThrow('minimize.seconds is a number above 0, not 0.');
  });

  test('throws an error that runners show well: the line that hunts comes first, and no field is dumped', async () => {
    const directory = folder();
    async function inTheTest(): Promise<unknown> {
      // Not awaited: an async stack trace would not lead here.
      return hunt(lock, { directory }).catch((thrown: unknown) => thrown);
    }
    const error = await inTheTest();
    if (!(error instanceof ViolationFound)) throw error;
    const [header, frames] = [`ViolationFound: ${error.message}`, error.stack?.slice(error.message.length + 16)];
    expect(error.stack).toContain(header);
    expect(frames).toMatch(/^\n +at inTheTest \(.*search\.test\.ts:\d+:\d+\)\n/);
    expect(Object.keys(error)).toEqual(['name']);
    expect(JSON.parse(JSON.stringify(error))).toEqual({ name: 'ViolationFound', message: error.message });
    expect(error.message).toContain('\nwhy       had event ');
  });
});

test('replaying a prefix and then continuing at random finds other outcomes', async () => {
  const trace = await found(lock);
  const plan = resolveSystem(lock);
  const names = new Set<string>();
  for (let seed = 0; seed < 50; seed++) {
    const session = targetOf(plan).open(trace.header.seed);
    const then = strategyCalled('random')({ seed, plan: { items: [], startsFirst: 0, triggers: [] }, steps: 0 });
    const strategy = new ReplayThen(trace.events.map(eventOf), 8, then);
    await drive(execution(session, { strategy, oracle: { judge: () => ({ kind: 'holds' }) }, eventsMax: 100 }));
    names.add(JSON.stringify(session.name()));
  }
  expect(names.size).toBeGreaterThan(5);
});
