import { behavior, defineSystem, search, send, type System } from 'culprit';
import {
  targetOf,
  guaranteesOf,
  RealClock,
  resolveSystem,
  type AnyBehavior,
  type FakeClock,
  type Host,
  type Io,
  type Session,
} from 'culprit/kernel';
import type { EventLine } from 'culprit/trace';
import { expect, onTestFinished, test } from 'vitest';
import { ticking, tickingHost } from '../twins/ticking.ts';

/** The traps of issue 16: each once gave a wrong or a silent answer. */

function open(system: System): Session {
  const session = targetOf(resolveSystem(system)).open(1);
  onTestFinished(() => session.close());
  return session;
}

const nothing = behavior({ start: () => ({}), receive() {} });

/** Answers every message after so many milliseconds. */
const answering = (ms: number): AnyBehavior =>
  ticking({ receive: (box, message, from) => box.after(ms, () => box.send(from, { type: 'answer', to: message })) });

/** The lines of one hunted execution, which must violate the invariant: it is there to end and record the execution. */
async function linesOf(system: System, options: { eventsMax?: number } = {}): Promise<readonly EventLine[]> {
  const { findings } = await search(system, { executions: 1, ...options });
  expect(findings).toHaveLength(1);
  return findings[0]?.trace.events ?? [];
}

test('1: a slow timer of ours does not fire before an answer that takes 5 ms', async () => {
  const client = behavior({
    start(ctx) {
      ctx.send('server', 'question');
      ctx.repeatTimer('retry', 1000);
      return { retries: 0, answers: 0 };
    },
    receive(state) {
      state.answers += 1;
    },
    timer(state, _timer: 'retry', ctx) {
      state.retries += 1;
      ctx.send('server', 'question');
    },
  });
  const system = defineSystem({
    processes: { server: answering(5), client },
    pace: { quietMs: 2000 },
    invariants: { threeRetries: (world) => (world.process('client').state?.retries ?? 0) < 3 },
  });
  const lines = await linesOf(system);
  const atClient = lines
    .filter(({ process, kind }) => process === 'client' && kind !== 'start')
    .map(({ kind }) => kind);
  expect(atClient).toEqual(['deliver', 'fire', 'deliver', 'fire', 'deliver', 'fire']);
  expect(lines.at(-1)?.atMs).toBeGreaterThanOrEqual(3000);
});

test('2: inputs are paced, so that each is answered before the next', async () => {
  const client = behavior({
    start: () => ({ asked: 0, answers: 0 }),
    receive(state, message: { type: string }, ctx) {
      if (message.type === 'answer') state.answers += 1;
      else {
        state.asked += 1;
        ctx.send('server', message);
      }
    },
  });
  const system = defineSystem({
    processes: { server: answering(5), client },
    workload: Array.from({ length: 10 }, () => send('client', { type: 'ask' })),
    invariants: { tenAnswers: (world) => (world.process('client').state?.answers ?? 0) < 10 },
  });
  const lines = await linesOf(system);
  const waiting = lines.reduce<number[]>((counts, line) => {
    const before = counts.at(-1) ?? 0;
    if (line.kind === 'send') return [...counts, before + 1];
    return line.kind === 'deliver' && line.from === 'server' ? [...counts, before - 1] : counts;
  }, []);
  expect(Math.max(...waiting)).toBe(1);
});

/** Two actors that always have something to do. */
const busy = behavior<object, string>({
  start(ctx) {
    if (ctx.self === 'one') ctx.send('other', 'ball');
    return {};
  },
  receive(_state, _message, ctx) {
    ctx.send(ctx.from, 'ball');
  },
});

const listener = behavior<{ heard: number }, string>({
  start: () => ({ heard: 0 }),
  receive(state) {
    state.heard += 1;
  },
});

test('3: a message that arrives at 10 ms is seen although actors always have something to do', async () => {
  const box = ticking({ start: (self) => self.after(10, () => self.send('listener', 'hello')) });
  const system = defineSystem({
    processes: { box, one: busy, other: busy, listener },
    invariants: { silence: (world) => (world.process('listener').state?.heard ?? 0) === 0 },
  });
  const lines = await linesOf(system);
  // A fake clock counts eight events as a millisecond; the chooser then takes the message soon.
  expect(lines.length).toBeLessThan(200);
  expect(lines.at(-1)?.atMs).toBeGreaterThanOrEqual(10);
});

/** A host on the real clock that says something as soon as the event loop lets it. */
const realHost: Host = { name: 'real', repeatable: false, controlled: false, clock: () => new RealClock() };

test('3: the same on the clock of the machine', async () => {
  const box: AnyBehavior = {
    host: realHost,
    start(ctx) {
      setTimeout(() => (ctx as unknown as Io).send('listener', 'hello'), 1);
      return {};
    },
    receive() {},
    view: () => ({}),
  };
  const system = defineSystem({
    processes: { box, one: busy, other: busy, listener },
    invariants: { silence: (world) => (world.process('listener').state?.heard ?? 0) === 0 },
  });
  const { findings } = await search(system, { executions: 1, eventsMax: 1_000_000 });
  expect(findings).toHaveLength(1);
});

test('4: the promise of a process is awaited', async () => {
  const slow: AnyBehavior = {
    host: tickingHost,
    start: (ctx) =>
      new Promise((resolve) => {
        const { clock } = ctx as unknown as Io;
        (clock as FakeClock).after(30, () => resolve({ isReady: true }));
      }),
    receive() {},
    view: (subject) => ({ ...subject }),
  };
  const session = open(defineSystem({ processes: { slow, listener } }));
  await session.perform({ kind: 'start', process: 'slow' });
  expect(session.nowMs).toBeGreaterThanOrEqual(30);
  expect(session.world.process('slow').state).toEqual({ isReady: true });
});

test('5: the watch of a handler limit belongs to one execution', async () => {
  const hangs = behavior<object, string>({
    start: () => ({}),
    receive() {
      for (;;);
    },
  });
  const box = ticking({ start: (self) => self.after(300, () => self.send('listener', 'hello')) });
  const quiet = defineSystem({ processes: { box, listener }, pace: { quietMs: 1000 } });
  const hanging = defineSystem({ processes: { box, hangs }, workload: [send('hangs', 'go')] });
  const [one, other] = await Promise.all([
    search(quiet, { executions: 5 }),
    search(hanging, { executions: 1, handlerMs: 50, control: false }),
  ]);
  expect([one.executions, one.findings.length, one.unknown]).toEqual([5, 0, 0]);
  expect(other.findings.map(({ trace }) => trace.verdict)).toMatchObject([
    { verdict: 'violated', oracle: 'handlerReturns', processes: ['hangs'] },
  ]);
});

test('5: an asynchronous handler of an actor that hangs is found beside a process that acts by itself', async () => {
  const hangs = behavior<object, string>({
    start: () => ({}),
    async receive() {
      await Promise.resolve();
      for (;;);
    },
  });
  const box = ticking({ start: (self) => self.after(300, () => self.send('listener', 'hello')) });
  const system = defineSystem({ processes: { box, hangs, listener }, workload: [send('hangs', 'go')] });
  const { findings } = await search(system, { executions: 1, handlerMs: 50 });
  expect(findings.map(({ trace }) => trace.verdict)).toMatchObject([
    { verdict: 'violated', oracle: 'handlerReturns', processes: ['hangs'] },
  ]);
});

test('5: a process that acts by itself may take longer than a handler', async () => {
  const slow: AnyBehavior = {
    host: realHost,
    start: () => new Promise((resolve) => setTimeout(() => resolve({}), 400)),
    receive() {},
    view: () => ({}),
  };
  const system = defineSystem({ processes: { slow, nothing }, pace: { quietMs: 10 } });
  expect(await search(system, { executions: 1, handlerMs: 50 })).toMatchObject({ findings: [], unknown: 0 });
});

test('7: what is observed shifts no place in the schedule', async () => {
  const box = ticking({
    start(self) {
      for (let at = 1; at <= 5; at++) self.after(at, () => self.observe('tick', at));
    },
  });
  const session = open(defineSystem({ processes: { box, nothing } }));
  await session.perform({ kind: 'start', process: 'box' });
  await session.wait?.({ ms: 20, matching: () => false });
  expect(session.world.length).toBe(1);
  expect(session.recording.events.length).toBe(1);
  const observed = session.recording.notes.since(0).map((note) => (note.kind === 'observed' ? note : undefined));
  expect(observed.map((note) => [note?.event, note?.content, Math.floor(note?.atMs ?? 0)])).toEqual([
    [0, 1, 1],
    [0, 2, 2],
    [0, 3, 3],
    [0, 4, 4],
    [0, 5, 5],
  ]);
  await session.perform({ kind: 'start', process: 'nothing' });
  expect(session.world.length).toBe(2);
});

test('8: what a process puts out between two events belongs to its own last event', async () => {
  const box = ticking({ receive: (self) => self.after(2, () => self.send('environment', 'done')) });
  const other = ticking({});
  const system = defineSystem({
    processes: { box, other, listener },
    pace: { roundMs: 1, quietMs: 50 },
    workload: [send('box', 'go'), send('listener', 'x'), send('other', 'y'), send('other', 'z'), send('listener', 'x')],
    invariants: { onceOnly: (world) => (world.process('listener').state?.heard ?? 0) < 2 },
  });
  const lines = await linesOf(system);
  const withOutput = lines.filter(({ output }) => output !== undefined);
  expect(withOutput.map(({ kind, process, output }) => ({ kind, process, output }))).toEqual([
    { kind: 'deliver', process: 'box', output: ['done'] },
  ]);
});

test('9: a kind declares its host, and counts as if it had joined', async () => {
  const kind = (): AnyBehavior => ticking({});
  const declared = Object.assign(kind, { host: tickingHost });
  const undeclared = (): AnyBehavior => ticking({});
  const of = (worker: typeof undeclared): System => defineSystem({ processes: { nothing }, kinds: { worker } });
  expect(guaranteesOf(resolveSystem(of(declared)).declaration)).toEqual({
    forkable: false,
    repeatable: false,
    controlled: false,
  });
  const session = open(of(declared));
  await session.perform({ kind: 'start', process: 'w', of: 'worker' });
  expect(session.world.process('w').up).toBe(true);
  const wrong = open(of(undeclared));
  expect(wrong.guarantees.controlled).toBe(true);
  expect(() => wrong.perform({ kind: 'start', process: 'w', of: 'worker' })).toThrow(
    'the kind worker makes a process that is ticking, but does not say so.',
  );
});

test('10: an unasked exit is a violation, and the process can be restarted', async () => {
  const box = ticking({
    start: (self) => self.after(10, () => self.exit(3)),
  });
  const system = defineSystem({ processes: { box, nothing } });
  const session = open(system);
  await session.perform({ kind: 'start', process: 'box' });
  expect(session.refusal({ kind: 'restart', process: 'box' })).toBeDefined();
  expect(await session.wait?.({ ms: 20 })).toBe('arrived');
  expect(session.world.process('box').up).toBe(false);
  expect(session.world.failure?.process).toBe('box');
  expect(session.refusal({ kind: 'restart', process: 'box' })).toBeUndefined();
  await session.perform({ kind: 'restart', process: 'box' });
  expect(session.world.process('box').up).toBe(true);

  const { findings } = await search(system, { executions: 1 });
  expect(findings.map(({ trace }) => trace.verdict)).toMatchObject([
    { verdict: 'violated', oracle: 'noUncaughtException', processes: ['box'] },
  ]);
  expect(findings[0]?.trace.events.at(-1)?.observed).toMatchObject([
    { process: 'box', what: 'exit', content: { code: 3 } },
  ]);
});

test('10: that a process ends when it is crashed is no violation', async () => {
  const box: AnyBehavior = {
    host: tickingHost,
    start: (ctx) => ctx,
    receive() {},
    view: () => ({}),
    close: (io) => (io as unknown as Io).exited({ signal: 'SIGKILL' }),
  };
  const session = open(defineSystem({ processes: { box, nothing } }));
  await session.perform({ kind: 'start', process: 'box' });
  await session.perform({ kind: 'crash', process: 'box' });
  await session.wait?.({ ms: 10 });
  expect(session.world.failure).toBeUndefined();
});
