import { answer, problem } from '../../test/twins/answers.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOLDS } from '../trace/verdict.ts';
import type { Oracle } from '../kernel/ports.ts';
import { loadSystem } from '../system/load-system.ts';
import { resolveSystem } from '../system/resolve.ts';
import { behavior, defineSystem } from '../system/define-system.ts';
import type { System } from '../system/definition.ts';
import { send } from '../system/externals.ts';
import { BadCommand } from './bad-command.ts';
import { Commands } from './commands.ts';
import { steppedOrigin } from './origin.ts';
import { Stepping } from './stepping.ts';

const { system: lock } = await loadSystem(join(import.meta.dirname, '../../cases/lock/lock.system.ts'));

let out: string;
beforeEach(() => void (out = mkdtempSync(join(tmpdir(), 'culprit-'))));
afterEach(() => rmSync(out, { recursive: true, force: true }));

const begun = (system: System, eventsMax = 1_000, handlerMs = 5_000): Promise<Stepping> =>
  Stepping.begin({ origin: steppedOrigin(resolveSystem(system), { eventsMax, handlerMs }), out });

describe('a command that cannot be done changes nothing, and says why:', () => {
  test.each([
    ['an unknown command', 'fly', 'nothing that can happen is “fly”: 1 lock gets acquire'],
    ['a number that nothing has', '12', 'nothing that can happen is number 12: 1 lock gets acquire'],
    ['the number 0', '0', 'nothing that can happen is number 0'],
    ['words that may mean several', 'acquire', '“acquire” may mean 1 lock gets acquire from client-1; 3 lock'],
    ['no process to crash', 'crash', 'crash takes the name of one process.'],
    ['somebody else to crash', 'crash bolt', 'environment: there is no process called "bolt"'],
    ['somebody who is up to restart', 'restart lock', 'restart lock is refused: lock is up.'],
    ['losses that are not declared', 'lose 1', 'lose lock gets acquire from client-1 is refused: the transport'],
    ['a timer to lose', 'lose 2', 'lose 2: client-1 timer enough fires is not a message.'],
    ['holds that are not declared', 'hold 1 until 2', 'hold lock gets acquire from client-1 until client-1 timer'],
    ['a hold without an end', 'hold 1', 'hold: until which event?'],
    ['a message that is no JSON', 'send lock acquire', 'acquire is not JSON'],
    ['a message without a receiver', 'send', 'send takes a process and a message.'],
    ['an action that is not declared', 'act up', 'there is no action called "up": the system has none.'],
    ['a kind that is not declared', 'start x worker', 'there is no kind of process called "worker"'],
    ['three sides', 'cut lock client-1 client-2', 'cut takes two sides, not “lock client-1 client-2”.'],
    ['one side too few', 'cut', 'cut takes two sides.'],
    ['how often, but not', 'undo twice', 'undo twice: "twice" is not a number of events.'],
    ['more than there is', 'redo', 'there is no event to redo.'],
    ['a recording that is not there', 'next', 'there is no recording to follow.'],
    ['a part that is not there', 'state lock owner.name', 'lock has no owner.name in its state: it has holder.'],
    ['the state of an unknown process', 'state bolt', 'there is no process called "bolt"'],
    ['an event that is not there', 'event 9', 'there is no event 9: there are 4.'],
    ['a run to nothing', 'run until', 'run until what?'],
    ['a run of what', 'run fast', 'run fast: "fast" is not a whole number.'],
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

test.each(new Commands(new Map()).names)('%s, which the help lists, is done or refused with a reason', async (name) => {
  const refused: unknown = await (await begun(lock)).enter(name).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(refused === undefined || refused instanceof BadCommand).toBe(true);
});

test('nothing happens to a process that is paused by hand until it is resumed', async () => {
  const stepping = await begun(lock);
  expect(await answer(stepping, 'pause lock')).toContain('5  lock  is paused');
  expect(await problem(stepping, 'acquire client-1')).toContain('nothing that can happen is “acquire client-1”');
  expect(await problem(stepping, 'pause lock')).toContain('pause lock is refused: ');
  expect(await problem(stepping, 'resume client-1')).toContain('resume client-1 is refused: ');
  await answer(stepping, 'resume lock');
  expect(await answer(stepping, 'acquire client-1')).toContain('7  lock  gets acquire from client-1');
});

test('faults by hand are not limited by what the system declares', async () => {
  const stepping = await begun(lock);
  await answer(stepping, 'crash lock', 'restart lock', 'crash lock', 'crash client-1', 'cut client-2');
  expect(await answer(stepping, 'state')).toBe(
    '  lock      not up, restarted once\n  client-1  not up\n  client-2  {phase: waiting}\n  client-3  {phase: waiting}',
  );
  expect(stepping.track.session.world.cutLinks).toHaveLength(6);
});

test('an execution with an unknown verdict has ended, and is no success', async () => {
  const unsure = {
    judge: (world: { length: number }) => (world.length < 6 ? HOLDS : { kind: 'unknown', why: 'dark' }) as typeof HOLDS,
  };
  const idle = behavior<object, string>({ start: () => ({}), receive() {} });
  const stepping = await begun(
    defineSystem({ processes: { a: idle, b: idle, c: idle, d: idle }, oracles: { unsure } }),
  );
  expect(await answer(stepping, 'send a 1', 'send a 2')).toContain('unknown   unsure: dark');
  expect(await problem(stepping, '1')).toBe('the execution has ended: unknown.');
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
  const idle = behavior<object, string>({ start: () => ({}), receive() {} });
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
  const idle = behavior<object, string>({ start: () => ({}), receive() {} });
  const stepping = await begun(defineSystem({ processes: { a: idle }, workload: [send('a', 'x'), send('a', 'y')] }));
  expect(await answer(stepping, 'send a "x"', 'list')).toContain('environment  sends y to a');
});

test('what a process called like a command does, is meant by telling it', async () => {
  const node = behavior<{ got: number }, string>({
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

test('a process may be called like the short name of a command, and is reached by it', async () => {
  const speaker = behavior({
    start(ctx) {
      ctx.send('c', 'acquired');
      return {};
    },
    receive: () => undefined,
  });
  const stepping = await begun(
    defineSystem({ processes: { a: speaker, c: behavior({ start: () => ({}), receive: () => undefined }) } }),
  );
  expect(await answer(stepping, 'c')).toContain('c  gets acquired from a');
  expect(await answer(stepping, 'check')).not.toContain('gets');
});
