import { expect, test } from 'vitest';
import { behavior, defineSystem } from 'culprit';
import type { Timing } from 'culprit/kernel';
import { play } from '../transcript.ts';

const clock = behavior<{ fired: string[] }, never, 'soon' | 'later' | 'again'>({
  start(ctx) {
    ctx.setTimer('later', 200);
    ctx.setTimer('soon', 100);
    return { fired: [] };
  },
  receive() {},
  timer(state, timer, ctx) {
    state.fired.push(`${timer}@${ctx.nowMs}`);
    if (timer === 'soon') ctx.repeatTimer('again', 30);
    if (timer === 'later') ctx.cancelTimer('again');
  },
});

const clocks = (timers: Timing) => defineSystem({ processes: { a: clock, b: clock }, timers });

test('by default a timer may fire at any moment, and each process has its own time', async () => {
  expect(
    await play(
      clocks('any'),
      `start a
       start b
       enabled
       fire a later
       fire a soon
       fire a again
       fire a again
       fire b soon
       enabled`,
    ),
  ).toMatchInlineSnapshot(`
    "
    1  a  starts             fired: []
    2  b  starts             fired: []
       enabled: a fire later, a fire soon, b fire later, b fire soon
    3  a  timer later fires  fired.0: later@200 (new)
    4  a  timer soon fires   fired.1: soon@200 (new)
    5  a  timer again fires  fired.2: again@230 (new)
    6  a  timer again fires  fired.3: again@260 (new)
    7  b  timer soon fires   fired.0: soon@100 (new)
       enabled: a fire again, b fire again, b fire later
    "
  `);
});

test('in virtual time timers fire in the order of their deadlines', async () => {
  expect(
    await play(
      clocks({ skewMs: 0 }),
      `start a
       start b
       enabled
       fire a soon
       enabled
       fire b soon
       enabled
       fire a again
       enabled`,
    ),
  ).toMatchInlineSnapshot(`
    "
    1  a  starts             fired: []
    2  b  starts             fired: []
       enabled: a fire soon, b fire soon
    3  a  timer soon fires   fired.0: soon@100 (new)
       enabled: b fire soon
    4  b  timer soon fires   fired.0: soon@100 (new)
       enabled: a fire again, b fire again
    5  a  timer again fires  fired.1: again@130 (new)
       enabled: b fire again
    "
  `);
});

test('up to a skew', async () => {
  expect(await play(clocks({ skewMs: 100 }), `start a\nenabled\nfire a later\nenabled`)).toMatchInlineSnapshot(`
    "
    1  a  starts             fired: []
       enabled: a fire later, a fire soon
    2  a  timer later fires  fired.0: later@200 (new)
       enabled: a fire soon
    "
  `);
  expect(await play(clocks({ skewMs: 99 }), `start a\nenabled`)).toMatchInlineSnapshot(`
    "
    1  a  starts  fired: []
       enabled: a fire soon
    "
  `);
});

test('setting a timer again moves it; only one of a name is pending', async () => {
  const patient = behavior<{ fired: number }, { type: string }>({
    start(ctx) {
      ctx.setTimer('election', 100);
      return { fired: 0 };
    },
    receive(_state, _message, ctx) {
      ctx.setTimer('election', 100);
    },
    timer(state) {
      state.fired += 1;
    },
  });
  expect(
    await play(
      defineSystem({ processes: { a: patient } }),
      `start a
       send a {"type":"heartbeat"}
       deliver environment a
       enabled
       fire a election
       enabled`,
    ),
  ).toMatchInlineSnapshot(`
    "
    1  a            starts                           fired: 0
    2  environment  sends heartbeat to a
    3  a            gets heartbeat from environment
       enabled: a fire election
    4  a            timer election fires             fired: 0 → 1
       enabled: nothing
    "
  `);
});
