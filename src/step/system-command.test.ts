import { describe, expect, test } from 'vitest';
import { answer, problem } from '../../test/twins/answers.ts';
import { BadOption } from '../kernel/options/options.ts';
import { behavior, defineSystem } from '../system/define-system.ts';
import { send } from '../system/externals.ts';
import { resolveSystem } from '../system/resolve.ts';
import type { StepCommand } from '../system/step-commands.ts';
import { steppedOrigin } from './origin.ts';
import { Stepping } from './stepping.ts';

const counter = behavior<{ n: number }, { type: 'add'; by: number }>({
  start: () => ({ n: 0 }),
  receive(state, { by }) {
    state.n += by;
  },
});

const commands: Readonly<Record<string, StepCommand>> = {
  add: {
    takes: 'counter number',
    does: 'adds to it',
    completes: ([, ...more]) => (more.length === 0 ? ['one', 'two words'] : ['1', '2']),
    inject: ([to = '', by]) => send(to, { type: 'add', by: Number(by) }),
  },
  count: {
    does: 'shows the sum',
    show: ([since], { world, stateAfter }) => {
      const now = world.process('one').state as { n: number };
      const before = (since === undefined ? undefined : stateAfter('one', Number(since))) as { n: number } | undefined;
      return [`  one has ${now.n}\u0007, and had ${before?.n}`];
    },
  },
  forget: { takes: 'message', does: 'loses it', sameAs: 'lose' },
  let: { takes: 'event', does: 'performs it', sameAs: '' },
  refuse: {
    does: 'fails',
    show: () => {
      throw new BadOption('not today.', 'Try tomorrow.');
    },
  },
  break: {
    does: 'fails',
    inject: () => {
      throw new TypeError('no such thing');
    },
  },
};

const system = (more: Readonly<Record<string, StepCommand>> = commands) =>
  defineSystem({
    processes: { one: counter, 'two words': counter },
    faults: { losses: 1 },
    phrases: { messageName: (message) => (message.type === 'add' ? `plus ${message.by}` : undefined) },
    invariants: { small: (world) => (world.process('one').state?.n ?? 0) < 10 || 'one is full' },
    commands: more,
  });

const begun = (of = system()): Promise<Stepping> =>
  Stepping.begin({ origin: steppedOrigin(resolveSystem(of), { eventsMax: 100 }), out: '' });

describe('a command of the system', () => {
  test('injects what it makes of its words, which are part of the script', async () => {
    const stepping = await begun();
    expect(await answer(stepping, 'add "two words" 3')).toContain('3  environment  sends plus 3 to two words');
    expect(await answer(stepping, 'add one 4')).toContain('4  environment  sends plus 4 to one');
    expect(stepping.script()).toEqual(['add "two words" 3', 'add one 4']);
    expect(await answer(stepping, 'undo')).toContain('sends plus 4 to one');
  });

  test('shows what it sees now, and in the past', async () => {
    const stepping = await begun();
    for (const line of ['add one 4', 'plus 4', 'add one 2', 'let 1']) await stepping.enter(line);
    expect(await answer(stepping, 'count 4')).toBe(String.raw`  one has 6\x07, and had 4`);
    expect(await answer(stepping, 'count 1')).toBe(String.raw`  one has 6\x07, and had 0`);
    await stepping.enter('add one 4');
    await stepping.enter('let plus');
    expect(await problem(stepping, 'add one 1')).toContain('the execution has ended: violated.');
    expect(await answer(stepping, 'count')).toContain('one has 10');
  });

  test('is another name of one that exists', async () => {
    const stepping = await begun();
    await stepping.enter('add one 4');
    expect(await answer(stepping, 'forget 1')).toContain('environment  loses plus 4 to one');
    expect(stepping.script().at(-1)).toBe('lose one gets plus 4 from environment');
  });

  test('is in the help, and completed', async () => {
    const stepping = await begun();
    expect(await answer(stepping, 'help')).toMatch(
      /\nsystem {4}add counter number +adds to it\n +count +shows the sum\n/,
    );
    expect(await answer(stepping, 'help add')).toBe('add       counter number  adds to it');
    expect(stepping.complete('co')).toEqual([['count'], 'co']);
    expect(stepping.complete('add o')).toEqual([['one'], 'o']);
    expect(stepping.complete('add ')).toEqual([['one', '"two words"'], '']);
    expect(stepping.complete('add one ')).toEqual([['1', '2'], '']);
    expect(stepping.complete('count x')).toEqual([[], 'x']);
    expect(stepping.complete('forget x')).toEqual([[], 'x']);
  });

  test('with a typing error is suggested', async () => {
    const stepping = await begun();
    expect(await problem(stepping, 'cuont')).toContain('there is no command cuont: did you mean count?');
    expect(await problem(stepping, 'help cuont')).toContain('there is no command cuont: did you mean count?');
    await stepping.enter('add one 4');
    // Words of an event come first.
    expect(await answer(stepping, 'on')).toContain('one  gets plus 4');
  });

  test('that fails says why, and nothing has happened', async () => {
    const stepping = await begun();
    expect(await problem(stepping, 'refuse')).toContain('not today.');
    expect(await problem(stepping, 'break')).toContain("the system's command break threw: TypeError: no such thing");
    expect(stepping.track.lines).toHaveLength(2);
  });

  test('cannot have the name of one that every session has', async () => {
    await expect(begun(system({ run: { does: 'runs', sameAs: 'run' } }))).rejects.toThrow(
      'the system has a command run, which `culprit step` has for every system.',
    );
  });
});
