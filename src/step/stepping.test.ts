import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CulpritError } from '../error.ts';
import { HOLDS } from '../trace/verdict.ts';
import type { Oracle } from '../kernel/ports.ts';
import { loadSystem } from '../load-system.ts';
import type { Origin } from '../record.ts';
import { resolveSystem } from '../targets/actors/resolve.ts';
import { behaviour, defineSystem, type System } from '../targets/actors/system.ts';
import { send } from '../kernel/externals.ts';
import { Stepping } from './stepping.ts';

const { system: lock } = await loadSystem(join(import.meta.dirname, '../../cases/lock/lock.system.ts'));

let out: string;
beforeEach(() => void (out = mkdtempSync(join(tmpdir(), 'culprit-'))));
afterEach(() => rmSync(out, { recursive: true, force: true }));

const originOf = (system: System, eventsMax = 1_000, handlerMs = 5_000): Origin => ({
  system: resolveSystem(system),
  module: undefined,
  seed: 0,
  strategy: 'step',
  eventsMax,
  handlerMs,
});

const begun = (system: System, eventsMax?: number, handlerMs?: number): Promise<Stepping> =>
  Stepping.begin({ origin: originOf(system, eventsMax, handlerMs), out });

/** What the last of these commands is answered with. */
async function answer(stepping: Stepping, ...commands: readonly string[]): Promise<string> {
  let lines: readonly string[] = [];
  for (const command of commands) ({ lines } = await stepping.enter(command));
  return lines.join('\n');
}

const problem = (stepping: Stepping, command: string): Promise<string> =>
  answer(stepping, command).then(
    () => 'none',
    (error: unknown) => {
      if (!(error instanceof CulpritError)) throw error;
      expect(error.next).toMatch(/\S/);
      return error.message;
    },
  );

describe('a command that cannot be done changes nothing, and says why:', () => {
  test.each([
    ['a command that nobody knows', 'fly', 'nothing that can happen is “fly”: 1 lock gets acquire'],
    ['a number that nothing has', '12', 'nothing that can happen is number 12: 1 lock gets acquire'],
    ['the number 0', '0', 'nothing that can happen is number 0'],
    ['words that may mean several', 'acquire', '“acquire” may mean 1 lock gets acquire from client-1; 3 lock'],
    ['nobody to crash', 'crash', 'crash takes the name of one process.'],
    ['somebody else to crash', 'crash bolt', 'environment: there is no process called "bolt"'],
    ['somebody who is up to restart', 'restart lock', 'restart lock is refused: lock is up.'],
    ['losses that are not declared', 'lose 1', 'lose lock gets acquire from client-1 is refused: the transport'],
    ['a timer to lose', 'lose 2', 'lose 2: client-1 timer enough fires is no message.'],
    ['a message that is no JSON', 'send lock acquire', 'acquire is no JSON'],
    ['a message for nobody', 'send', 'send takes a process and a message.'],
    ['an action that is not declared', 'act up', 'there is no action called "up": the system has none.'],
    ['a kind that is not declared', 'start x worker', 'there is no kind of process called "worker"'],
    ['three sides', 'cut lock client-1 client-2', 'cut takes two sides, not “lock client-1 client-2”.'],
    ['one side too few', 'cut', 'cut takes two sides.'],
    ['how often, but not', 'undo twice', 'undo twice: "twice" is no number of events.'],
    ['more than there is', 'redo', 'nothing was taken back that could be done again.'],
    ['a recording that is not there', 'next', 'there is no recording to go on with.'],
    ['a part that is not there', 'state lock owner.name', 'lock has no owner.name in its state: it has holder.'],
    ['a state of nobody', 'state bolt', 'there is no process called "bolt"'],
    ['an event that is not there', 'event 9', 'there is no event 9: there are 4.'],
    ['a run to nothing', 'run until', 'run until what?'],
    ['a run of what', 'run fast', 'run fast: "fast" is no whole number.'],
    ['help with what', 'help me', 'there is no command me.'],
    ['a file that is another', 'save OUT/other.trace', 'there is another file at '],
  ])('%s', async (_what, command, why) => {
    writeFileSync(join(out, 'other.trace'), 'something else');
    const stepping = await begun(lock);
    const before = stepping.track.session.worldDigest();
    expect(await problem(stepping, command.replace('OUT', out))).toContain(why);
    expect(stepping.track.session.worldDigest()).toEqual(before);
    expect(stepping.track.lines).toHaveLength(4);
    expect(await answer(stepping, '1')).toContain('5  lock  gets acquire from client-1');
  });
});

describe('what the system gets wrong', () => {
  const receiver = behaviour<{ got: string[] }, string>({
    start: () => ({ got: [] }),
    receive(state, message) {
      state.got.push(message);
      if (message === 'hang') for (;;);
    },
  });

  test('an invariant that throws, is told, and its event taken back', async () => {
    const stepping = await begun(
      defineSystem({
        processes: { a: receiver },
        invariants: {
          short(world) {
            if ((world.process('a').state?.got.length ?? 0) > 0) throw new Error('oh');
            return true;
          },
        },
      }),
    );
    await answer(stepping, 'send a "x"');
    expect(await problem(stepping, '1')).toContain('the invariant short threw after event 3: Error: oh');
    expect(stepping.track.lines).toHaveLength(2);
    expect(await answer(stepping, 'list')).toBe('choose    1  a  gets x from environment');
  });

  test('an action that cannot be done whole, is told, and not done at all', async () => {
    const stepping = await begun(
      defineSystem({
        processes: { a: receiver, b: receiver },
        actions: {
          both: () => [
            { kind: 'crash', process: 'a' },
            { kind: 'restart', process: 'b' },
          ],
        },
      }),
    );
    expect(await problem(stepping, 'act both')).toContain('b is up');
    expect(await answer(stepping, 'state')).toBe('  a  {got: []}\n  b  {got: []}');
  });

  test('a handler that does not return, is a violation that can be taken back', async () => {
    const stepping = await begun(defineSystem({ processes: { a: receiver } }), 1_000, 200);
    const hung = 'violated  handlerReturns: a did not return from event 3 (deliver)';
    expect(await answer(stepping, 'send a "hang"', 'a')).toContain(hung);
    expect(await answer(stepping, 'check')).toBe(hung);
    expect(await answer(stepping, 'undo', 'redo')).toContain(hung);
    expect(await answer(stepping, 'undo 2', 'send a "x"', 'a', 'state')).toBe('  a  {got: [x]}');
  });

  test('one that does not return after an await, too', async () => {
    const async = behaviour<{ n: number }, string>({
      start: () => ({ n: 0 }),
      async receive(state, _message, ctx) {
        await ctx.disk.write('k', 1);
        state.n += 1;
        for (;;);
      },
    });
    const stepping = await begun(defineSystem({ processes: { a: async }, workload: [send('a', 'x')] }), 1_000, 200);
    expect(await answer(stepping, 'run')).toContain('a did not return from event 4 (complete)');
    expect(await answer(stepping, 'undo', 'list')).toBe('choose    1  a  has written k: 1');
  });

  test('code that awaits what culprit does not control, is told', async () => {
    const stuck = behaviour<object, string>({
      start: () => ({}),
      receive: () => new Promise<void>(() => {}),
    });
    const stepping = await begun(defineSystem({ processes: { a: stuck } }));
    expect(await answer(stepping, 'send a "x"', 'a')).toContain('stuck     a still awaits something since event 3');
  });
});

describe('a run', () => {
  const counter = behaviour<{ n: number }, string>({
    start(ctx) {
      ctx.send('a', 'on');
      return { n: 0 };
    },
    receive(state, message, ctx) {
      state.n += 1;
      if (state.n % 10 === 0) ctx.log(`reached ${state.n}`);
      ctx.send('a', message);
    },
  });
  const endless = defineSystem({
    processes: { a: counter },
    faults: { crashes: 1 },
    sometimes: { isSeven: (world) => world.process('a').state?.n === 7 },
  });
  const length = ({ track }: Stepping): number => track.session.world.length;

  test('without an end stops at the bound on events, and goes on when told how far', async () => {
    const stepping = await begun(endless, 50);
    expect(await answer(stepping, 'run')).toContain('stopped   at 50 events: --events sets the bound');
    expect(length(stepping)).toBe(50);
    await answer(stepping, 'run 70');
    expect(length(stepping)).toBe(120);
  });

  test('stops where it is told to: a `sometimes`, a log, a process, words', async () => {
    const stepping = await begun(endless, 50);
    expect(await answer(stepping, 'run until isSeven')).toContain('there     until isSeven');
    expect(length(stepping)).toBe(8);
    expect(await problem(stepping, 'run until isSeven')).toBe('isSeven is so already.');
    expect(await answer(stepping, 'run until reached 20')).toContain('there     until reached 20');
    expect(length(stepping)).toBe(21);
    await answer(stepping, 'run until a seed 3');
    expect(length(stepping)).toBe(22);
    expect(await answer(stepping, 'run 5 until nothing of the kind')).toContain('stopped   after 5 events');
    expect(length(stepping)).toBe(27);
  });

  test('until a process stops at its own events, not where others are told of it', async () => {
    const counts = { own: 0, told: 0 };
    for (const seed of [1, 2, 3, 4, 5]) {
      const stepping = await begun(lock);
      await answer(stepping, `run until client-1 seed ${seed}`);
      const made = stepping.track.lines.slice(4);
      counts.own += made.filter(({ process }) => process === 'client-1').length;
      counts.told += made.filter((line) => line.kind === 'deliver' && line.from === 'client-1').length;
    }
    expect(counts.own).toBe(5);
    expect(counts.told).toBeGreaterThan(2);
  });

  test('is interrupted, and its beginning can be had again', async () => {
    const stepping = await begun(endless);
    const interruption = new AbortController();
    setTimeout(() => interruption.abort(), 50);
    const { lines } = await stepping.enter('run 1000000000', { signal: interruption.signal });
    const made = length(stepping) - 1;
    expect(lines.join('\n')).toContain(`stopped   after ${made.toLocaleString('en')} events`);
    expect(await answer(stepping, 'script')).toBe(`run ${made}`);
    await answer(stepping, `undo ${made - 3}`);
    expect(await answer(stepping, 'script')).toBe('run 3');
  });

  test('throws in faults only where it is told to, within their budget', async () => {
    const crashes = async (command: string): Promise<number> => {
      const stepping = await begun(endless);
      await answer(stepping, command);
      return stepping.track.lines.filter(({ kind }) => kind === 'crash').length;
    };
    expect(await crashes('run 500')).toBe(0);
    expect(await crashes('run 500 faults')).toBe(1);
  });

  test('of another seed chooses otherwise', async () => {
    const story = async (command: string): Promise<string> => answer(await begun(lock), command);
    expect(await story('run 6 seed 1')).toBe(await story('run 6 seed 1'));
    expect(await story('run 6 seed 1')).not.toBe(await story('run 6 seed 2'));
  });
});

test('faults by hand are not limited by what the system declares', async () => {
  const stepping = await begun(lock);
  await answer(stepping, 'crash lock', 'restart lock', 'crash lock', 'crash client-1', 'cut client-2');
  expect(await answer(stepping, 'state')).toBe(
    '  lock      not up, restarted once\n  client-1  not up\n  client-2  {phase: waiting}\n  client-3  {phase: waiting}',
  );
  expect(stepping.track.session.world.cutLinks).toHaveLength(6);
});

test('an execution that nobody can judge has ended, and is no success', async () => {
  const unsure = {
    judge: (world: { length: number }) => (world.length < 6 ? HOLDS : { kind: 'unknown', why: 'dark' }) as typeof HOLDS,
  };
  const idle = behaviour<object, string>({ start: () => ({}), receive() {} });
  const stepping = await begun(
    defineSystem({ processes: { a: idle, b: idle, c: idle, d: idle }, oracles: { unsure } }),
  );
  expect(await answer(stepping, 'send a 1', 'send a 2')).toContain('unknown   unsure: dark');
  expect(await problem(stepping, '1')).toBe('the execution has ended: it is unknown.');
  expect(await answer(stepping, 'save')).toContain('unknown   unsure: dark');
});

test('oracles that remember are asked how it would end as often as one likes, and remember nothing of it', async () => {
  const counting: Oracle = {
    judge: () => HOLDS,
    begin() {
      let worlds = 0;
      return {
        judge() {
          worlds += 1;
          return HOLDS;
        },
        end: () => ({ kind: 'unknown', why: `${(worlds += 1)} worlds` }),
      };
    },
  };
  const idle = behaviour<object, string>({ start: () => ({}), receive() {} });
  const stepping = await begun(defineSystem({ processes: { a: idle }, oracles: { counting } }));
  const asked = 'holds     noUncaughtException\nunknown   counting: 4 worlds (if it ended here)';
  expect(await answer(stepping, 'send a 1', 'check')).toBe(asked);
  expect(await answer(stepping, 'check')).toBe(asked);
  expect(await answer(stepping, 'undo', 'redo', 'check')).toBe(asked);
});

test('what is saved is not saved again when one leaves, but what comes after it is', async () => {
  const stepping = await begun(lock);
  expect(stepping.isUnsaved).toBe(false);
  await answer(stepping, '1');
  expect(stepping.isUnsaved).toBe(true);
  await answer(stepping, 'save');
  expect(stepping.isUnsaved).toBe(false);
  await answer(stepping, '1');
  expect(stepping.isUnsaved).toBe(true);
  await answer(stepping, 'undo');
  expect(stepping.isUnsaved).toBe(false);
});

test('by hand as by itself: what the workload would do next, done by hand, is done', async () => {
  const idle = behaviour<object, string>({ start: () => ({}), receive() {} });
  const stepping = await begun(defineSystem({ processes: { a: idle }, workload: [send('a', 'x'), send('a', 'y')] }));
  expect(await answer(stepping, 'send a "x"', 'list')).toContain('environment  sends y to a');
});

test('what a process called like a command does, is meant by telling it', async () => {
  const node = behaviour<{ got: number }, string>({
    start: () => ({ got: 0 }),
    receive(state) {
      state.got += 1;
    },
  });
  const stepping = await begun(defineSystem({ processes: { run: node, 'two words': node } }));
  await answer(stepping, 'send run "x"', 'run gets x from environment');
  await answer(stepping, 'send "two words" "y"', 'two words gets y');
  expect(await answer(stepping, 'state "two words" got')).toBe('two words 1');
  expect(await answer(stepping, 'script')).toBe(
    'send run "x"\nrun gets x from environment\nsend "two words" "y"\ntwo words gets y from environment',
  );
});

describe('the line under way is completed with', () => {
  test.each([
    ['cr', ['crash'], 'cr'],
    ['crash c', ['client-1', 'client-2'], 'c'],
    ['restart ', ['client-3'], ''],
    ['cut lock cl', ['client-1', 'client-2', 'client-3'], 'cl'],
    ['client-2 t', ['client-2 timer enough fires'], 'client-2 t'],
    ['client-2 enough', ['client-2 timer enough fires'], 'client-2 enough'],
    ['run until v', ['violated'], 'v'],
    ['run 3 s', ['seed'], 's'],
    ['send lo', ['lock'], 'lo'],
    ['send lock x', [], 'x'],
    ['nothing', [], 'nothing'],
  ])('%s…', async (line, hits, part) => {
    const stepping = await begun(lock);
    await answer(stepping, 'crash client-3');
    const [found, replaced] = stepping.complete(line);
    expect([found, replaced]).toEqual([hits, part]);
  });
});

describe('along a recording', () => {
  const relay = behaviour<{ got: string[] }, string>({
    start: () => ({ got: [] }),
    receive(state, message, ctx) {
      state.got.push(message);
      if (ctx.self === 'a') ctx.send('b', `${message}!`);
    },
  });
  const system = defineSystem({
    processes: { a: relay, b: relay },
    workload: [send('a', 'one'), send('a', 'two'), send('a', 'three')],
  });

  /** Starts, then one and two are sent and relayed; nobody sends three. */
  async function recorded(): Promise<Stepping> {
    const stepping = await begun(system);
    for (const word of ['one', 'two'])
      await answer(stepping, `environment sends ${word}`, `a gets ${word}`, `b ${word}!`);
    return stepping;
  }

  const following = async (): Promise<Stepping> =>
    Stepping.begin({ origin: originOf(system), recording: (await recorded()).track.events, out });

  test('one goes on as it went, and nothing is left to save', async () => {
    const stepping = await following();
    expect(stepping.opening()).toEqual([]);
    expect(await answer(stepping, 'list')).toBe('choose    1  a  starts  workload, recorded as 1');
    expect(await answer(stepping, 'next 5')).toContain('5  b            gets one! from a');
    expect(stepping.isUnsaved).toBe(false);
    expect(await answer(stepping, 'next all')).toContain('recorded  all of it has happened');
    expect(stepping.track.session.worldDigest()).toEqual((await recorded()).track.session.worldDigest());
    expect(stepping.isUnsaved).toBe(false);
    // The workload has come along: what it does next is what was not recorded.
    expect(await answer(stepping, 'list')).toBe('choose    1  environment  sends three to a  workload');
    expect(await answer(stepping, 'script')).toBe('next 5\nnext all');
  });

  test('one may leave it, and sees what of it can still happen', async () => {
    const stepping = await following();
    await answer(stepping, 'next 4', 'crash b');
    expect(stepping.isUnsaved).toBe(true);
    expect(await answer(stepping, 'list')).toBe('choose    1  environment  sends two to a  workload, recorded as 6');
    // What b would get is gone.
    expect(await answer(stepping, 'next 9')).toBe(
      [
        '  6  environment  sends two to a',
        '  7  a            gets two from environment; two! to b is lost (absent)  got.1: two (new)',
        'recorded  of 2 more events none can happen now',
      ].join('\n'),
    );
    expect(await answer(stepping, 'undo 3', 'list')).toBe(
      'choose    1  b            gets one! from a  recorded as 5\n' +
        '          2  environment  sends two to a    workload, recorded as 6',
    );
    expect(stepping.isUnsaved).toBe(false);
  });

  test('what the system no longer knows cannot happen, nor what came of it', async () => {
    const node = { processes: { a: relay, b: relay } };
    const before = await begun(defineSystem({ ...node, actions: { both: () => [send('a', 'x'), send('b', 'y')] } }));
    await answer(before, 'act both');
    const recording = before.track.events;
    const stepping = await Stepping.begin({ origin: originOf(defineSystem(node)), recording, out });
    expect(await answer(stepping, 'next all')).toContain('recorded  of 3 more events none can happen now');
  });

  test('what was left out of it is offered beside it', async () => {
    const { events } = (await recorded()).track;
    const without = events.filter(({ cause, kind }, at) => at < 2 || (kind === 'send' ? at > 2 : cause > 4));
    const stepping = await Stepping.begin({ origin: originOf(system), recording: without, out });
    expect(await answer(stepping, 'next 2', 'list')).toBe(
      'choose    1  environment  sends one to a  workload\n          2  environment  sends two to a  recorded as 3',
    );
  });
});
