import { describe, expect, test } from 'vitest';
import { answer, problem } from '../../test/twins/answers.ts';
import { send } from '../system/externals.ts';
import { resolveSystem } from '../system/resolve.ts';
import { behavior, defineSystem } from '../system/define-system.ts';
import type { System } from '../system/definition.ts';
import { steppedOrigin } from './origin.ts';
import { Stepping } from './stepping.ts';

const begun = (system: System, eventsMax = 1_000, handlerMs = 5_000): Promise<Stepping> =>
  Stepping.begin({ origin: steppedOrigin(resolveSystem(system), { eventsMax, handlerMs }), out: 'nowhere' });

describe('what the system gets wrong', () => {
  const receiver = behavior<{ got: string[] }, string>({
    start: () => ({ got: [] }),
    receive(state, message) {
      state.got.push(message);
      if (message === 'hang') for (;;);
    },
  });

  test('an invariant that throws is reported, and its event is taken back', async () => {
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

  test('an action that cannot be done completely is reported, and not done at all', async () => {
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
    const async = behavior<{ n: number }, string>({
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

  test('a handler that blocks, is unknown and can be taken back; one that is only slow is waited for', async () => {
    let blocks = Number.POSITIVE_INFINITY;
    const cell = new Int32Array(new SharedArrayBuffer(4));
    const blocking = behavior<{ got: string[] }, string>({
      start: () => ({ got: [] }),
      receive(state, message) {
        blocks -= 1;
        for (const end = performance.now() + 150; blocks >= 0 && performance.now() < end;)
          Atomics.wait(cell, 0, 0, blocks === Number.POSITIVE_INFINITY ? 60_000 : 10);
        state.got.push(message);
      },
    });
    const system = defineSystem({ processes: { a: blocking }, workload: [send('a', 'x'), send('a', 'x')] });
    const stepping = await begun(system, 1_000, 75);
    expect(await answer(stepping, 'run')).toMatch(
      /unknown +a was ended in event \d \(deliver\) after \d+ ms, in which/,
    );
    blocks = 2;
    expect(await answer(stepping, 'undo', 'run', 'state')).toBe('  a  {got: [x, x]}');
  });

  test('code that awaits something uncontrolled is reported', async () => {
    const stuck = behavior<object, string>({
      start: () => ({}),
      receive: () => new Promise<void>(() => {}),
    });
    const stepping = await begun(defineSystem({ processes: { a: stuck } }));
    expect(await answer(stepping, 'send a "x"', 'a')).toContain('stuck     a has been waiting since event 3');
  });
});
