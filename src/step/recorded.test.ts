import { describe, expect, test } from 'vitest';
import { answer } from '../../test/twins/answers.ts';
import { send } from '../system/externals.ts';
import { resolveSystem } from '../system/resolve.ts';
import { behavior, defineSystem } from '../system/define-system.ts';
import type { System } from '../system/definition.ts';
import { steppedOrigin } from './origin.ts';
import { Stepping } from './stepping.ts';

const begun = (system: System, eventsMax = 1_000, handlerMs = 5_000): Promise<Stepping> =>
  Stepping.begin({ origin: steppedOrigin(resolveSystem(system), { eventsMax, handlerMs }), out: 'nowhere' });

describe('along a recording', () => {
  const relay = behavior<{ got: string[] }, string>({
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

  /** Starts, then one and two are sent and relayed; three is never sent. */
  async function recorded(): Promise<Stepping> {
    const stepping = await begun(system);
    for (const word of ['one', 'two'])
      await answer(stepping, `environment sends ${word}`, `a gets ${word}`, `b ${word}!`);
    return stepping;
  }

  const following = async (): Promise<Stepping> =>
    await Stepping.begin({
      origin: steppedOrigin(resolveSystem(system)),
      recording: (await recorded()).track.events,
      out: 'nowhere',
    });

  test('one continues as recorded, and nothing is left to save', async () => {
    const stepping = await following();
    expect(stepping.opening()).toEqual([]);
    expect(await answer(stepping, 'list')).toBe('choose    1  a  starts  workload, recorded as 1');
    expect(await answer(stepping, 'next 5')).toContain('5  b            gets one! from a');
    expect(stepping.isUnsaved).toBe(false);
    expect(await answer(stepping, 'next all')).toContain('recorded  every recorded event has happened');
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
        'recorded  2 events left, none of them enabled now',
      ].join('\n'),
    );
    expect(await answer(stepping, 'undo 3', 'list')).toBe(
      'choose    1  b            gets one! from a  recorded as 5\n' +
        '          2  environment  sends two to a    workload, recorded as 6',
    );
    expect(stepping.isUnsaved).toBe(false);
  });

  test('events that the system no longer knows cannot happen, nor their consequences', async () => {
    const node = { processes: { a: relay, b: relay } };
    const before = await begun(defineSystem({ ...node, actions: { both: () => [send('a', 'x'), send('b', 'y')] } }));
    await answer(before, 'act both');
    const recording = before.track.events;
    const stepping = await Stepping.begin({
      origin: steppedOrigin(resolveSystem(defineSystem(node))),
      recording,
      out: 'nowhere',
    });
    expect(await answer(stepping, 'next all')).toContain('recorded  3 events left, none of them enabled now');
  });

  test('what was left out of it is offered beside it', async () => {
    const { events } = (await recorded()).track;
    const without = events.filter(({ cause, kind }, at) => at < 2 || (kind === 'send' ? at > 2 : cause > 4));
    const stepping = await Stepping.begin({
      origin: steppedOrigin(resolveSystem(system)),
      recording: without,
      out: 'nowhere',
    });
    expect(await answer(stepping, 'next 2', 'list')).toBe(
      'choose    1  environment  sends one to a  workload\n          2  environment  sends two to a  recorded as 3',
    );
  });
});
