import { behavior, cut, cutOneWay, heal, send, start } from 'culprit';
import { Refused } from 'culprit/kernel';
import { hex, type Internal } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { echo, enabled, idle, open, perform } from '../twins/scripted.ts';

/** Sends what a message says: `b 1` on the default lane, `b 1 x` on the lane x. */
const sender = behavior<object, string>({
  start: () => ({}),
  receive(_state, message, ctx) {
    const [to = '', what = '', lane] = message.split(' ');
    ctx.send(to, what, { lane });
  },
});

const processes = { a: sender, b: idle };

/** Makes `a` send all of these, in order. */
const told = (...messages: readonly string[]) =>
  messages.flatMap((message) => [send('a', message), `deliver a ${message}`]);

const begun = [start('a'), start('b')];

test('each lane keeps the order of its own messages', async () => {
  const session = open({ processes });
  await perform(session, ...begun, ...told('b 1', 'b 2', 'b 3 x', 'b 4 x', 'b 5 y'));
  expect(enabled(session)).toEqual(['deliver b 1', 'deliver b 3', 'deliver b 5']);
  await perform(session, 'deliver b 3');
  expect(enabled(session)).toEqual(['deliver b 1', 'deliver b 4', 'deliver b 5']);
});

test('a message of the default lane has no lane, and others have', async () => {
  const session = open({ processes });
  await perform(session, ...begun, ...told('b 1', 'b 2 x'));
  expect(session.enabled.map((event) => 'lane' in event)).toEqual([false, true]);
});

describe('an ask', () => {
  /** Asks b what a message says: `1 x` on the lane x. Blocking, so that it takes nothing but its answer. */
  const asking = behavior<{ got: string[] }, string>({
    blocking: true,
    start: () => ({ got: [] }),
    async receive(state, message, ctx) {
      const [what = '', lane, timeoutMs] = message.split(' ');
      const options = { lane, timeoutMs: timeoutMs === undefined ? undefined : Number(timeoutMs) };
      state.got.push(await ctx.ask('b', what, options));
    },
  });

  test('has the lane that it names, and so has its answer', async () => {
    const session = open({ processes: { a: asking, b: echo } });
    await perform(session, ...begun, ...told('1 x'));
    expect(session.enabled).toMatchObject([{ process: 'b', message: '1', lane: 'x' }]);
    await perform(session, 'deliver b 1');
    expect(session.enabled).toMatchObject([{ process: 'a', message: '1!', lane: 'x' }]);
    await perform(session, 'deliver a 1!');
    expect(session.world.process('a').state).toEqual({ got: ['1!'] });
  });

  test('waits with its lane while that is cut, and its time limit goes on', async () => {
    const session = open({ processes: { a: asking, b: echo } });
    await perform(session, ...begun, cut('a', 'b', { lane: 'x' }), ...told('1 x 50'));
    expect(enabled(session)).toEqual(['complete a timeout b']);
    await perform(session, heal('a', 'b', { lane: 'x' }));
    expect(enabled(session)).toEqual(['complete a timeout b', 'deliver b 1']);
  });

  test.each([[{ lane: '' }], [{ lane: 'x', timeout: 5 }]])('refuses %o', async (options) => {
    const bad = behavior<object, string>({
      start: () => ({}),
      receive: (_, __, ctx) => void ctx.ask('b', '', options),
    });
    const session = open({ processes: { a: bad, b: echo } });
    await expect(perform(session, ...begun, ...told('go'))).rejects.toThrow('which names no lane');
  });
});

describe('a cut', () => {
  test('of a lane leaves the others alone', async () => {
    const session = open({ processes });
    await perform(session, ...begun, ...told('b 1', 'b 2 x', 'b 3 y'), cut('a', 'b', { lane: 'x' }));
    expect(enabled(session)).toEqual(['deliver b 1', 'deliver b 3']);
    expect(session.world.cutLinks).toEqual([
      ['b', 'a', 'x'],
      ['a', 'b', 'x'],
    ]);
    await perform(session, heal('a', 'b', { lane: 'x' }));
    expect(enabled(session)).toEqual(['deliver b 1', 'deliver b 2', 'deliver b 3']);
  });

  test('of a link cuts all its lanes, also those that are first used later', async () => {
    const session = open({ processes });
    await perform(session, ...begun, ...told('b 1', 'b 2 x'), cutOneWay('a', 'b'), ...told('b 3 y'));
    expect(enabled(session)).toEqual([]);
    await perform(session, heal('a', 'b'));
    expect(enabled(session)).toEqual(['deliver b 1', 'deliver b 2', 'deliver b 3']);
  });

  test('of a lane outlasts that of its link, and the other way round', async () => {
    const session = open({ processes });
    await perform(session, ...begun, ...told('b 1 x'), cut('a', 'b', { lane: 'x' }), cut('a', 'b'), heal('a', 'b'));
    expect(enabled(session)).toEqual([]);
    await perform(session, cut('a', 'b'), heal('a', 'b', { lane: 'x' }));
    expect(enabled(session)).toEqual([]);
    await perform(session, heal('a', 'b'));
    expect(enabled(session)).toEqual(['deliver b 1']);
  });

  test('is healed with everything else', async () => {
    const session = open({ processes });
    await perform(session, ...begun, ...told('b 1 x'), cut('a', 'b', { lane: 'x' }), cut('a', 'b'), heal());
    expect(session.world.cutLinks).toEqual([]);
    expect(enabled(session)).toEqual(['deliver b 1']);
  });
});

describe('a link or lane with rules of its own', () => {
  test('loses messages when it is cut, where the system holds them', async () => {
    const session = open({ processes, links: [{ between: ['b', 'a'], lane: 'x', onCut: 'drop' }] });
    await perform(session, ...begun, ...told('b 1', 'b 2 x'), cut('a', 'b'), ...told('b 3 x'), heal());
    expect(enabled(session)).toEqual(['deliver b 1']);
  });

  test('has another order than the system; a lane has the rules of its link', async () => {
    const links = [
      { between: ['a', 'b'], order: 'unordered' },
      { between: ['a', 'b'], lane: 'x', order: 'fifo' },
    ] as const;
    const session = open({ processes, links });
    await perform(session, ...begun, ...told('b 1', 'b 2', 'b 3 x', 'b 4 x', 'b 5 y', 'b 6 y'));
    expect(enabled(session)).toEqual(['deliver b 1', 'deliver b 2', 'deliver b 3', 'deliver b 5', 'deliver b 6']);
  });

  test('loses and duplicates nothing', async () => {
    const links = [{ between: ['a', 'b'], losses: false, duplicates: false }] as const;
    const session = open({ processes, links, faults: { losses: 1, duplicates: 1 } });
    await perform(session, ...begun, ...told('b 1'));
    const target = hex(session.enabled[0] as Internal);
    expect(session.faults()).toEqual([]);
    expect(session.refusal({ kind: 'lose', target })).toBe('the link between a and b is declared with `losses: false`');
    expect(() => session.perform({ kind: 'duplicate', target })).toThrow(Refused);
  });
});

test.each([
  ['an empty name', { lane: '' }],
  ['a number', { lane: 3 }],
  ['a name alone', 'bulk'],
  ['another option', { Lane: 'bulk' }],
])('%s is no lane', async (_what, options) => {
  const wrong = behavior<object, string>({
    start: () => ({}),
    receive: (_state, _message, ctx) => ctx.send('b', 'hello', options as never),
  });
  const session = open({ processes: { a: wrong, b: idle } });
  await perform(session, ...begun, send('a', 'go'));
  await expect(perform(session, 'deliver a go')).rejects.toThrow('which names no lane');
});
