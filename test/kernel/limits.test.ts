import { targetOf, resolveSystem } from 'culprit/kernel';
import { behavior, check, defineSystem, hunt, minimize, replay, search, send, type System, type World } from 'culprit';
import { describe, expect, test } from 'vitest';
import { found } from '../found.ts';

const cell = new Int32Array(new SharedArrayBuffer(4));

/** Takes this much time and nearly no CPU, even on a busy machine. */
function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;) Atomics.wait(cell, 0, 0, 10);
}

type Handle = (type: string) => void;

/** Handles messages at once, or after a sleep. */
const handling = (handle: Handle, isLate: boolean) =>
  behavior<{ seen: string[] }, { type: string }>({
    start: () => ({ seen: [] }),
    receive(state, { type }, ctx) {
      const rest = (): void => {
        handle(type);
        state.seen.push(type);
      };
      return isLate ? Promise.resolve(ctx.sleep(1)).then(rest) : rest();
    },
  });

const workload = [send('a', { type: 'x' }), send('a', { type: 'y' })];

const systemOf = (handle: Handle, isLate: boolean): System =>
  defineSystem({ processes: { a: handling(handle, isLate) }, workload });

const BLOCKED =
  /^a was ended in event \d+ \(\w+\) after \d+ ms, in which it had only \d+ ms of CPU time, of the 120 ms that it may have$/;

describe.each([
  ['at once', false],
  ['after an await', true],
])('a handler that blocks %s', (_when, isLate) => {
  const blocked = systemOf((type) => type === 'x' && block(60_000), isLate);

  test('makes a hunt unknown, and is no violation', async () => {
    const { findings, unknown, whyUnknown, executions } = await search(blocked, { executions: 1, handlerMs: 120 });
    expect({ findings, unknown, executions }).toEqual({ findings: [], unknown: 1, executions: 1 });
    expect(whyUnknown).toMatch(BLOCKED);
  });

  test('makes a check unknown', async () => {
    const { verdict, whyUnknown, findings } = await check(blocked, { handlerMs: 120 });
    expect({ verdict, findings }).toEqual({ verdict: 'unknown', findings: [] });
    expect(whyUnknown).toEqual([
      expect.stringMatching(
        /^a was ended in event \d+ \(\w+\) after \d+ ms, in which it had only \d+ ms of CPU time, of the 120 ms that it may have, before the exploration was complete$/,
      ),
    ]);
  });

  test('for a while is executed again, and then the result is as if it had been fast', async () => {
    let calls = 0;
    // The first three times: by the first execution, and by two with more time.
    const slow = systemOf((type) => type === 'x' && ++calls <= 3 && block(150), isLate);
    const fast = systemOf(() => {}, isLate);
    expect(await search(slow, { executions: 3, handlerMs: 75 })).toEqual(await search(fast, { executions: 3 }));
    expect(calls).toBeGreaterThan(3);
  });
});

test('a hunt does not pass if a handler blocks', async () => {
  const system = systemOf((type) => type === 'x' && block(60_000), false);
  await expect(hunt(system, { executions: 1, handlerMs: 20, directory: 'nowhere' })).rejects.toThrow(
    'nothing was found, but 1 of 1 executions have an unknown verdict: a was ended in event',
  );
});

describe('a recording whose handler blocks now', () => {
  let isBlocked = false;
  const system = defineSystem({
    processes: { a: handling(() => isBlocked && block(60_000), false) },
    workload,
    invariants: { few: (world) => (world.process('a').state?.seen.length ?? 0) < 2 },
  });

  test('is neither reproduced nor diverged', async () => {
    isBlocked = false;
    const trace = await found(system);
    isBlocked = true;
    await expect(replay(system, trace, { handlerMs: 20 })).rejects.toMatchObject({ code: 'STALLED' });
  });
});

test('a candidate whose handler blocks is not taken, and the result has no certificate', async () => {
  const picky = behavior<{ seen: string[] }, { type: string }>({
    start: () => ({ seen: [] }),
    receive(state, { type }) {
      if (type === 'y' && state.seen.length === 0) block(60_000);
      state.seen.push(type);
    },
  });
  const invariants = {
    noY: (world: World<{ a: typeof picky }>) => world.process('a').state?.seen.includes('y') !== true,
  };
  const system = defineSystem({ processes: { a: picky }, workload, invariants });
  const trace = await found(system);
  const minimized = await minimize(system, trace, { handlerMs: 20, passes: ['single:type'] });
  expect(minimized.trace.events.map(({ kind }) => kind)).toEqual(['start', 'send', 'send', 'deliver', 'deliver']);
  expect(minimized.certificate).toBeUndefined();
});

describe('two side by side', () => {
  const endless = systemOf((type) => {
    while (type === 'x');
  }, true);
  const fine = systemOf(() => {}, true);
  const hang = { message: expect.stringMatching(/^a did not return from event \d+ \(complete\)$/) as unknown };

  test.each([
    ['first', false],
    ['last', true],
  ])('only the hanging one is blamed, if it is the %s', async (_which, isLast) => {
    const alone = await search(fine, { executions: 300 });
    const both = [() => search(endless, { executions: 1, handlerMs: 30 }), () => search(fine, { executions: 300 })];
    const [one, other] = await Promise.all((isLast ? both.toReversed() : both).map((begin) => begin()));
    const [hanging, innocent] = isLast ? [other, one] : [one, other];
    expect(hanging?.findings.map(({ trace }) => trace.verdict)).toMatchObject([hang]);
    expect(innocent).toEqual(alone);
  });

  test('each has its own limit', async () => {
    const [short, long] = await Promise.all([
      search(endless, { executions: 1, handlerMs: 20 }),
      search(endless, { executions: 1, handlerMs: 60 }),
    ]);
    for (const { findings } of [short, long]) expect(findings.map(({ trace }) => trace.verdict)).toMatchObject([hang]);
  });
});

test('an execution with too many processes is refused', () => {
  const idle = behavior({ start: () => ({}), receive() {} });
  const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, idle]));
  const open = (count: number) => targetOf(resolveSystem(defineSystem({ processes: named(count) }))).open(0);
  expect(() => open(100_001)).toThrow('p100000 would be process 100,001 of the execution, which may have 100,000.');
});
